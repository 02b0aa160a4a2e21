package import FleetToken
import ServiceConfiguration
import Synchronization
package import Telemetry

/// Metrics of who asks, and of the keys that it is found out with.
///
/// The label `issuer` has a caller's name in the configuration, or `none` where nobody came close to being one. Names
/// are added as configurations are loaded; those of before stay, as Prometheus expects of counters.
package final class CallerMetrics: Sendable {
    /// How many names there may be.
    static let maximumNames = 256

    private static let nobody = "none"

    private struct Instruments {
        var authentications: [String: MetricTable<Counter, LabelPair<CallerMethodLabel, AuthenticationLabel>>] = [:]
        var refreshes: [String: MetricTable<Counter, KeySetResultLabel>] = [:]
        var lastSuccess: [String: Gauge] = [:]
        /// Whose keys a plan is for.
        var issuers: [KeySetPlan: Set<String>] = [:]
    }

    private let instruments: Mutex<Instruments>
    private let authentications: @Sendable ([(name: String, value: String)]) -> Counter
    private let refreshes: @Sendable ([(name: String, value: String)]) -> Counter
    private let lastSuccess: @Sendable ([(name: String, value: String)]) -> Gauge
    private let now: @Sendable () -> NumericDate

    /// Declares them in a registry.
    package init(registry: PrometheusRegistry, now: @escaping @Sendable () -> NumericDate) {
        self.now = now
        authentications = registry.family(
            "fleet_token_authn_total",
            help: "Requests by who asks: how it was said, the caller's name in the configuration, and the outcome."
        )
        refreshes = registry.family(
            "fleet_token_jwks_refresh_total",
            help: "Fetches of an issuer's keys, by whether there were good ones."
        )
        lastSuccess = registry.family(
            "fleet_token_jwks_last_success_timestamp_seconds",
            help: "When an issuer's keys were last fetched, in seconds since 1970; 0 before the first time."
        )
        instruments = Mutex(Instruments())
        instruments.withLock { addName(Self.nobody, to: &$0) }
    }

    /// Adds the names of a configuration's callers.
    ///
    /// - Parameters:
    ///   - callers: The callers.
    ///   - allowsLoopback: Whether keys may come from this machine by http, for tests.
    func add(_ callers: [CallerConfiguration], allowsLoopback: Bool = false) {
        instruments.withLock { instruments in
            for caller in callers {
                addName(caller.name, to: &instruments)
                guard case .jwt(let configuration) = caller.method else { continue }
                addIssuer(caller.name, to: &instruments)
                guard let plan = try? KeySetPlan(configuration, allowsLoopback: allowsLoopback) else { continue }
                instruments.issuers[plan, default: []].insert(caller.name)
            }
        }
    }

    /// It is known who asks.
    func accepted(_ caller: Caller) {
        count(caller.name, .init(caller.method), .accepted)
    }

    /// It is not known who asks.
    func refused(_ failure: AuthenticationFailure) {
        count(failure.caller ?? Self.nobody, .init(failure.code), .refused(failure.code))
    }

    /// Keys were fetched, or should have been.
    func fetchedKeys(_ plan: KeySetPlan, _ result: KeySetResultLabel) {
        instruments.withLock { instruments in
            for issuer in instruments.issuers[plan] ?? [] {
                instruments.refreshes[issuer]?[result].increment()
                if result == .fetched { instruments.lastSuccess[issuer]?.set(Double(now().seconds)) }
            }
        }
    }

    private func count(_ name: String, _ method: CallerMethodLabel, _ result: AuthenticationLabel) {
        let table = instruments.withLock { $0.authentications[name] }
        table?[method, result].increment()
    }

    private func addName(_ name: String, to instruments: inout Instruments) {
        guard instruments.authentications[name] == nil, instruments.authentications.count < Self.maximumNames else {
            return
        }
        instruments.authentications[name] = MetricTable { [authentications] labels in
            authentications([("issuer", name)] + labels)
        }
    }

    private func addIssuer(_ name: String, to instruments: inout Instruments) {
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
