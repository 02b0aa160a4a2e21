import CoreMetrics
import FleetToken
import Synchronization

/// Metrics of who asks, and of the keys that it is found out with.
///
/// The label `issuer` has a caller's name in the configuration, or `none` where nobody came close to being one. Names
/// are added as configurations are loaded; those of before stay, as Prometheus expects of counters.
final class CallerMetrics: Sendable {
    /// How many names there may be.
    static let maximumNames = 256

    private static let nobody = "none"
    private static let authentications = "fleet_token_authn_total"
    private static let refreshes = "fleet_token_jwks_refresh_total"
    private static let lastSuccess = "fleet_token_jwks_last_success_timestamp_seconds"

    private struct Instruments {
        var authentications: [String: MetricTable<Counter, LabelPair<CallerMethodLabel, AuthenticationLabel>>] = [:]
        var refreshes: [String: MetricTable<Counter, KeySetResultLabel>] = [:]
        var lastSuccess: [String: Meter] = [:]
        /// Whose keys a plan is for.
        var issuers: [KeySetPlan: Set<String>] = [:]
    }

    private let instruments: Mutex<Instruments>
    private let factory: PrometheusMetricsFactory
    private let now: @Sendable () -> NumericDate

    /// Declares them in a registry.
    init(registry: PrometheusRegistry, now: @escaping @Sendable () -> NumericDate) {
        factory = PrometheusMetricsFactory(registry: registry)
        self.now = now
        registry.declare(
            Self.authentications,
            .counter,
            help: "Requests by who asks: how it was said, the caller's name in the configuration, and the outcome.",
            capacity: Self.maximumNames * LabelPair<CallerMethodLabel, AuthenticationLabel>.count
        )
        registry.declare(
            Self.refreshes,
            .counter,
            help: "Fetches of an issuer's keys, by whether there were good ones.",
            capacity: Self.maximumNames * KeySetResultLabel.count
        )
        registry.declare(
            Self.lastSuccess,
            .gauge,
            help: "When an issuer's keys were last fetched, in seconds since 1970; 0 before the first time.",
            capacity: Self.maximumNames
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
                if result == .fetched { instruments.lastSuccess[issuer]?.set(now().seconds) }
            }
        }
    }

    private func count(_ name: String, _ method: CallerMethodLabel, _ result: AuthenticationLabel) {
        let table = instruments.withLock { $0.authentications[name] }
        table?[method, result].increment()
    }

    private func addName(_ name: String, to instruments: inout Instruments) {
        guard instruments.authentications[name] == nil else { return }
        instruments.authentications[name] = MetricTable { [factory] dimensions in
            Counter(label: Self.authentications, dimensions: [("issuer", name)] + dimensions, factory: factory)
        }
    }

    private func addIssuer(_ name: String, to instruments: inout Instruments) {
        guard instruments.refreshes[name] == nil else { return }
        let table = MetricTable<Counter, KeySetResultLabel> { [factory] dimensions in
            Counter(label: Self.refreshes, dimensions: [("issuer", name)] + dimensions, factory: factory)
        }
        // These start at zero, so that `rate()` sees even the first failure.
        for result in KeySetResultLabel.allCases { _ = table[result] }
        instruments.refreshes[name] = table
        instruments.lastSuccess[name] = Meter(
            label: Self.lastSuccess,
            dimensions: [("issuer", name)],
            factory: factory
        )
    }
}
