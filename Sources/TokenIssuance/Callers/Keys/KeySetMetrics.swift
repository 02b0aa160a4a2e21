import FleetToken
package import ServiceSupport
import Synchronization

/// Metrics of issuers' keys.
///
/// The label `issuer` is a caller's name in the configuration.
package final class KeySetMetrics: Sendable {
    private struct Issuers {
        /// Whose keys a plan is for.
        var names: [KeySetPlan: Set<String>] = [:]
        var lastSuccess: [String: Gauge] = [:]
    }

    private let issuers = Mutex(Issuers())
    private let refreshes: CallerCounters<KeySetResultLabel>
    private let lastSuccess: @Sendable ([(name: String, value: String)]) -> Gauge
    private let clock: ServiceClock

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry, clock: ServiceClock) {
        self.clock = clock
        refreshes = CallerCounters(
            "fleet_token_jwks_refresh_total",
            help: "Fetches of issuers' keys, by result.",
            label: "issuer",
            in: registry
        )
        lastSuccess = registry.family(
            "fleet_token_jwks_last_success_timestamp_seconds",
            help: "Unix time of the last successful fetch of an issuer's keys; 0 before the first."
        )
    }

    /// Adds an issuer, by its name in the configuration.
    func add(_ name: String, _ plan: KeySetPlan) {
        refreshes.add([name], atZero: KeySetResultLabel.allCases)
        issuers.withLock { issuers in
            issuers.names[plan, default: []].insert(name)
            guard refreshes[name] != nil, issuers.lastSuccess[name] == nil else { return }
            issuers.lastSuccess[name] = lastSuccess([("issuer", name)])
        }
    }

    /// Keys were fetched, or should have been.
    func fetched(_ plan: KeySetPlan, _ result: KeySetResultLabel) {
        issuers.withLock { issuers in
            for name in issuers.names[plan] ?? [] {
                refreshes[name]?[result].increment()
                if result == .fetched { issuers.lastSuccess[name]?.set(Double(clock.now.seconds)) }
            }
        }
    }
}

/// Whether an issuer's keys were fetched.
enum KeySetResultLabel: String, MetricLabel {
    case fetched
    case failed

    static let labelName = "result"
}
