import FleetToken
package import Logging
import ServiceLifecycle
package import ServiceSupport
import StrictCoding

/// Records refusals past a limit and because of overload: each minute, and at shutdown, one line for each caller and
/// address.
package struct RefusalReporter: Service {
    /// The time for which refusals are counted before they are recorded.
    static let period = Duration.seconds(60)

    let tally: RefusalTally
    /// The current trail; nil if there is none.
    let audit: @Sendable () -> AuditTrail?
    let clock: ServiceClock
    let logger: Logger

    package init(
        tally: RefusalTally,
        audit: @escaping @Sendable () -> AuditTrail?,
        clock: ServiceClock,
        logger: Logger
    ) {
        self.tally = tally
        self.audit = audit
        self.clock = clock
        self.logger = logger
    }

    func run() async {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            try? await cancelWhenGracefulShutdown { try await clock.sleep(for: Self.period) }
            await report()
        }
    }

    /// Records the counted refusals; if that fails, counting continues.
    func report() async {
        let summaries = tally.takeAll()
        guard !summaries.isEmpty else { return }
        let time = clock.now
        do {
            try await audit()?.append(summaries.map { $0.line(at: time) })
        } catch {
            for summary in summaries { tally.add(summary) }
            logger.error(
                "Recording refused requests failed. Counting continues, and they are recorded when the audit trail can be written.",
                metadata: [
                    "error": "\(OperatorMessage(error))",
                    "count": .stringConvertible(summaries.reduce(0) { $0 + $1.count }),
                ]
            )
            return
        }
        for summary in summaries {
            logger.info("Requests were refused.", metadata: summary.metadata)
        }
    }
}

extension RefusalReporter: CustomStringConvertible {
    /// The service group logs this instead of all properties.
    package var description: String { "RefusalReporter" }
}

extension RefusalSummary {
    /// The log metadata.
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "count": .stringConvertible(count),
            "error.type": "\(reason.rawValue)",
            "since": .stringConvertible(since.seconds),
        ]
        switch origin {
        case .caller(_, let name, _): metadata[.caller] = "\(name)"
        case .address, .others: break
        }
        return metadata
    }
}

extension RefusalSummary {
    /// Returns the JSON line that records them, without the fields that depend on its position in the trail.
    ///
    /// - Parameter time: When it is written.
    /// - Returns: The line of a decision, with `since` and `count` instead of a request ID, kind and IDs.
    func line(at time: NumericDate) -> AuditLine {
        var (method, name, subject, address) = ("none", "", "", "")
        switch origin {
        case .caller(let known, let caller, let holder):
            (method, name, subject) = (known.rawValue, caller, holder)
        case .address(let network): address = network
        case .others: break
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("time", time.seconds)
            writer.member("since", since.seconds)
            writer.member("method", method)
            writer.member("caller", name)
            writer.member("subject", subject)
            writer.member("address", address)
            writer.member("decision", AuditRecord.Decision(reason).rawValue)
            writer.member("rule", reason.rawValue)
            writer.member("count", Int64(count))
        }
        return AuditLine(object: writer.bytes)
    }
}
