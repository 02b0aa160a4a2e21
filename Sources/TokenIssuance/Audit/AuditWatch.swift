import ServiceLifecycle
package import ServiceSupport

/// Fails requests that have waited for the audit trail for too long, and makes its lines durable once per second.
package struct AuditWatch: Service {
    /// How often it looks.
    static let period = Duration.milliseconds(250)
    /// The number of looks between two calls of `sync`.
    static let looksPerSync = 4

    /// The current trail; nil if there is none.
    let audit: @Sendable () -> AuditTrail?
    /// Whether lines are made durable once per second.
    let syncs: Bool
    let clock: ServiceClock

    /// Creates a value from its parts.
    package init(
        audit: @escaping @Sendable () -> AuditTrail?,
        syncs: Bool,
        clock: ServiceClock
    ) {
        self.audit = audit
        self.syncs = syncs
        self.clock = clock
    }

    package func run() async {
        await cancelWhenGracefulShutdown {
            var looks = 0
            while (try? await clock.sleep(for: Self.period)) != nil {
                let trail = audit()
                trail?.expire()
                looks += 1
                if syncs, looks.isMultiple(of: Self.looksPerSync) { trail?.sync() }
            }
        }
    }
}

extension AuditWatch: CustomStringConvertible {
    /// The service group logs this instead of all properties.
    package var description: String { "AuditWatch" }
}
