/// What a fleet needs of the service, and the service of others.
package struct Needs {
    /// The demand at one time, for each second.
    package struct Rate: Hashable, Sendable {
        /// The tokens that are requested.
        package let tokens: Double
        /// The riders' tokens among them, which a webhook authorizes.
        package let riders: Double
        /// The cores in use.
        package let cores: Double
        /// The bandwidth in both directions, in megabits.
        package let megabits: Double
    }

    let plan: Plan
    package let vehicles: Int
    let factor: Double

    package var trips: Double { Double(vehicles * plan.habits.trips) }
    package var tokensPerDay: Double { plan.usual.total(\.answered) * factor }
    package var signedShare: Double { plan.usual.total(\.signed) / plan.usual.total(\.answered) }

    package var mean: Rate { rate { plan.usual.mean($0) } }
    /// The busiest minute of a usual day.
    package var peak: Rate { rate { plan.usual.peak($0) } }
    /// The busiest ten seconds after the outage.
    package var afterOutage: Rate { rate { plan.disturbed.peak(over: 1, $0) } }

    /// The apps that have no token at the end of the outage.
    package var appsWithoutToken: Double {
        plan.disturbed.peak(over: 1, \.missing) * Demand.step * factor
    }

    /// The replicas with two cores each: enough for the peak, and one that may be lost.
    package var replicas: Int {
        let needed = peak.tokens / (plan.costs.tokensPerReplica * Plan.utilization)
        return Int(needed.rounded(.up)) + 1
    }

    /// How long requests wait after the outage until these replicas have issued all tokens, in seconds.
    package var recovery: Double {
        let capacity = Double(replicas) * plan.costs.tokensPerReplica / factor
        return plan.disturbed.backlog(from: plan.outage.upperBound, capacity: capacity, \.answered)
    }

    /// The connections at the peak, if each app keeps its own open for a minute, as the service lets it.
    package var connections: Double { peak.tokens * Plan.idleSeconds }

    /// The requests at once of one backend for the whole fleet, when all drivers start their shift together.
    ///
    /// `tokend check` compares limits with this, and with the next two.
    package var machineBurst: Double { Double(vehicles) }
    /// The requests a minute of one backend for the whole fleet, at the rate after the outage.
    package var machinePerMinute: Double { (afterOutage.tokens * 60).rounded(.up) }
    /// The connections after the outage without a proxy: those of the peak, and of the apps that had no token.
    package var connectionsAfterOutage: Double { (connections + appsWithoutToken).rounded(.up) }

    /// The resident memory of all replicas, in MiB.
    package var memory: Double { Double(replicas) * plan.costs.memory }
    /// The audit lines of a day, in gigabytes.
    package var auditPerDay: Double { tokensPerDay * plan.costs.auditBytes / 1e9 }
    package var auditKept: Double { auditPerDay * Plan.keptDays }

    private func rate(_ perSecond: ((Demand.Interval) -> Double) -> Double) -> Rate {
        let costs = plan.costs
        let tokens = perSecond(\.answered) * factor
        return Rate(
            tokens: tokens,
            riders: perSecond(\.riders) * factor,
            cores: tokens / costs.tokensPerCore,
            megabits: tokens * (costs.requestBytes + costs.responseBytes) * 8 / 1e6
        )
    }
}
