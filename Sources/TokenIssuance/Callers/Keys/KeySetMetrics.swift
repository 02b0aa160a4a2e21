import FleetToken
import ServiceSupport
import Synchronization

/// Metrics of issuers' keys.
///
/// The label `issuer` is a caller's name in the configuration. Names are added when configurations are loaded; previous ones
/// stay, as Prometheus expects of counters.
package final class KeySetMetrics: Sendable {
    /// The maximum number of names.
    private static let maximumNames = 256

    private struct Instruments {
        var refreshes: [String: MetricTable<Counter, KeySetResultLabel>] = [:]
        var lastSuccess: [String: Gauge] = [:]
        /// Whose keys a plan is for.
        var issuers: [KeySetPlan: Set<String>] = [:]
    }

    private let instruments = Mutex(Instruments())
    private let refreshes: @Sendable ([(name: String, value: String)]) -> Counter
    private let lastSuccess: @Sendable ([(name: String, value: String)]) -> Gauge
    private let clock: ServiceClock

    /// Creates the metrics and declares them in a registry.
    init(registry: PrometheusRegistry, clock: ServiceClock) {
        self.clock = clock
        refreshes = registry.family(
            "fleet_token_jwks_refresh_total",
            help: "Fetches of issuers' keys, by result."
        )
        lastSuccess = registry.family(
            "fleet_token_jwks_last_success_timestamp_seconds",
            help: "Unix time of the last successful fetch of an issuer's keys; 0 before the first."
        )
    }

    /// Adds an issuer.
    ///
    /// - Parameters:
    ///   - name: Its name in the configuration.
    ///   - plan: Where its keys are; nil if that is not valid.
    func add(_ name: String, _ plan: KeySetPlan?) {
        instruments.withLock { instruments in
            if let plan { instruments.issuers[plan, default: []].insert(name) }
            guard instruments.refreshes[name] == nil, instruments.refreshes.count < Self.maximumNames else { return }
            let table = MetricTable<Counter, KeySetResultLabel> { [refreshes] labels in
                refreshes([("issuer", name)] + labels)
            }
            // These start at zero, so that `rate()` sees even the first failure.
            for result in KeySetResultLabel.allCases { _ = table[result] }
            instruments.refreshes[name] = table
            instruments.lastSuccess[name] = lastSuccess([("issuer", name)])
        }
    }

    /// Keys were fetched, or should have been.
    func fetched(_ plan: KeySetPlan, _ result: KeySetResultLabel) {
        instruments.withLock { instruments in
            for issuer in instruments.issuers[plan] ?? [] {
                instruments.refreshes[issuer]?[result].increment()
                if result == .fetched { instruments.lastSuccess[issuer]?.set(Double(clock.now.seconds)) }
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
