import ServiceLifecycle
package import ServiceSupport

/// Fails requests that have waited for the audit trail for too long.
package struct AuditWatch: Service {
    /// How often it looks.
    static let period = Duration.milliseconds(250)

    /// The current trail; nil if there is none.
    let audit: @Sendable () -> AuditTrail?
    let clock: ServiceClock

    /// Creates a watch of the current trail.
    package init(audit: @escaping @Sendable () -> AuditTrail?, clock: ServiceClock) {
        self.audit = audit
        self.clock = clock
    }

    package func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await clock.sleep(for: Self.period)) != nil { audit()?.expire() }
        }
    }
}

extension AuditWatch: CustomStringConvertible {
    /// The service group logs this instead of all properties.
    package var description: String { "AuditWatch" }
}
