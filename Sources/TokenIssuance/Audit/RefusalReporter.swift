package import FleetToken
package import Logging
import ServiceLifecycle
import Telemetry

/// Puts refusals past a limit on record: each minute, and when the service ends, a line for each caller and address.
package struct RefusalReporter: Service {
    /// How long refusals are counted before they are put on record.
    static let period = Duration.seconds(60)

    let tally: RefusalTally
    /// The trail as it is now; nil where there is none.
    let audit: @Sendable () -> AuditTrail?
    let now: @Sendable () -> NumericDate
    let logger: Logger
    /// Waits.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Creates a reporter of what a tally counts.
    package init(
        tally: RefusalTally,
        audit: @escaping @Sendable () -> AuditTrail?,
        now: @escaping @Sendable () -> NumericDate,
        logger: Logger,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.tally = tally
        self.audit = audit
        self.now = now
        self.logger = logger
        self.sleep = sleep
    }

    func run() async {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            try? await cancelWhenGracefulShutdown { try await sleep(Self.period) }
            await report()
        }
    }

    /// Puts on record what was counted; what cannot be goes on being counted.
    func report() async {
        let summaries = tally.takeAll()
        guard !summaries.isEmpty else { return }
        let time = now()
        do {
            try await audit()?.append(summaries.map { $0.line(at: time) })
        } catch {
            for summary in summaries { tally.add(summary) }
            logger.error(
                "Recording refusals past a limit failed. They are counted on, and recorded when the audit trail can be written.",
                metadata: [
                    "error": "\(OperatorMessage(error))",
                    "count": .stringConvertible(summaries.reduce(0) { $0 + $1.count }),
                ]
            )
            return
        }
        for summary in summaries {
            logger.info("Requests past a limit were refused.", metadata: summary.metadata)
        }
    }
}

extension RefusalReporter: CustomStringConvertible {
    /// What runs it logs this, and would otherwise log all that it is made of.
    package var description: String { "RefusalReporter" }
}

extension RefusalSummary {
    /// What the log says of it.
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "count": .stringConvertible(count),
            "error.type": "\(Self.rule)",
            "since": .stringConvertible(since.seconds),
        ]
        switch party {
        case .caller(_, let name, _): metadata["caller"] = "\(name)"
        case .address(let address): metadata["client.address"] = "\(address)"
        case .others: break
        }
        return metadata
    }
}
