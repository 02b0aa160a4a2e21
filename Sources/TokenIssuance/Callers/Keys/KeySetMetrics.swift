import FleetToken
package import Metrics
package import ServiceSupport
import Synchronization

/// Shows when the keys of each caller's issuer were last fetched; callers have their names in the configuration.
package final class KeySetMetrics: Sendable {
    private struct Labels: MetricLabels {
        let caller: String

        var dimensions: [(String, String)] { [("caller", caller)] }
    }

    private let lastSuccess: MetricFamily<Labels, Meter>
    /// The callers whose keys a plan is for.
    private let callers = Mutex<[KeySetPlan: Set<String>]>([:])
    private let clock: ServiceClock

    package init(factory: any MetricsFactory, clock: ServiceClock) {
        lastSuccess = MetricFamily("fleet_token_jwks_last_success_timestamp_seconds", factory: factory)
        self.clock = clock
    }

    /// Adds a caller; its time is 0 before the first fetch.
    func add(_ caller: String, _ plan: KeySetPlan) {
        callers.withLock { _ = $0[plan, default: []].insert(caller) }
        _ = lastSuccess[Labels(caller: caller)]
    }

    /// Keys were fetched.
    func fetched(_ plan: KeySetPlan) {
        for caller in callers.withLock({ $0[plan] ?? [] }) {
            lastSuccess[Labels(caller: caller)].set(clock.now.seconds)
        }
    }
}
