import FleetToken
import ServiceSupport

extension ProductionConfiguration {
    /// Warnings about settings that are allowed but not recommended.
    package var warnings: [String] {
        var warnings: [String] = []
        if isBehindTLSProxy, trustedProxies.isEmpty {
            warnings.append(
                "service.trustedProxies: is empty, so all callers appear to have the proxy's address: they share one limit, and the audit trail cannot distinguish them. List the proxy's addresses."
            )
        }
        // On loopback without a proxy, the service is for programs of this machine that read the port from its log.
        let isForOthers = !listen.isLoopback || isBehindTLSProxy || tls != nil
        for (setting, address) in [("service.listen", listen), ("admin.listen", admin)]
        where address.port == 0 && isForOthers {
            warnings.append(
                "\(setting): has port 0, so the system chooses another port at each start. Set a port such as 8080."
            )
        }
        if let vehicles = limits.vehicles { warnings += shortages(FleetDemand(vehicles: vehicles), vehicles) }
        return warnings + unusedNames
    }

    /// Warnings about callers and kinds that no grant names: all their requests are denied.
    private var unusedNames: [String] {
        guard isWhole else { return [] }
        guard !grants.isEmpty else { return ["grants: is empty, so every request is denied."] }
        let named = Set(grants.flatMap(\.callers).map(ConfigurationName.init))
        let granted = Set(grants.flatMap(\.kinds))
        return callers.filter { !named.contains(ConfigurationName($0.name)) }.map {
            "callers.\($0.name): no grant names this caller, so all its requests are denied. Add it to a grant, or remove it."
        }
            + TokenKind.allCases.filter { kinds[$0] != nil && !granted.contains($0) }.map {
                "kinds.\($0.rawValue): no grant allows this kind, so all requests for it are denied. Add it to a grant, or remove it."
            }
    }

    /// Returns warnings about limits that are lower than a fleet's demand.
    private func shortages(_ demand: FleetDemand, _ vehicles: Int) -> [String] {
        var warnings: [String] = []
        let name = limits.caller == limits.machine ? "limits.caller" : "limits.machine"
        // Callers that are single users need no more than their own app's requests.
        if callers.contains(where: { !$0.isApp }) {
            if limits.machine.burst < demand.burst {
                warnings.append(
                    "\(name).burst: is \(Int(limits.machine.burst)), but \(vehicles) vehicles (limits.vehicles) that start together make \(Int(demand.burst)) requests at once through one backend. Raise it to \(Int(demand.burst))."
                )
            }
            if limits.machine.perMinute < demand.perMinute {
                warnings.append(
                    "\(name).perMinute: is \(Int(limits.machine.perMinute)), but \(vehicles) vehicles (limits.vehicles) make up to \(Int(demand.perMinute)) requests a minute through one backend after an outage. Raise it to \(Int(demand.perMinute))."
                )
            }
        }
        if trustedProxies.isEmpty, limits.connections < demand.connections {
            warnings.append(
                "limits.connections: is \(limits.connections), but the apps of \(vehicles) vehicles (limits.vehicles) open up to \(demand.connections) connections after an outage. Raise it, add replicas, or put a proxy in front that shares connections."
            )
        }
        return warnings
    }
}

/// What a fleet needs at worst, by the plan in docs/scale.md, which a test compares with it.
package struct FleetDemand: Sendable, Hashable {
    /// Simultaneous requests: the drivers of all vehicles start their shift together.
    package let burst: Double
    /// Requests a minute, at the rate of the busiest ten seconds after an outage of ten minutes.
    package let perMinute: Double
    /// Open connections then, where no proxy shares them: those of the peak, and of the apps without a token.
    package let connections: Int

    /// Creates the demand of a number of vehicles, each with ten riders.
    package init(vehicles: Int) {
        burst = Double(vehicles)
        perMinute = (Double(vehicles) * 22.5 * 60 / 1000).rounded(.up)
        connections = Int((Double(vehicles) * (65.3 + 366.9) / 1000).rounded(.up))
    }
}
