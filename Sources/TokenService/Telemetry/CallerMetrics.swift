import CoreMetrics
import FleetToken

/// Metrics of who asks, and of the keys that it is found out with.
///
/// The label `issuer` has a caller's name in the configuration, or `none` where nobody came close to being one.
struct CallerMetrics: Sendable {
    private static let nobody = "none"

    private let authentications: NamedMetricTable<Counter, LabelPair<CallerMethodLabel, AuthenticationLabel>>
    private let refreshes: NamedMetricTable<Counter, KeySetResultLabel>
    private let lastSuccess: [String: Meter]
    private let now: @Sendable () -> NumericDate

    /// Declares them in a registry.
    ///
    /// - Parameters:
    ///   - callers: The configuration's callers.
    ///   - registry: Where they count.
    ///   - now: The wall clock.
    init(callers: [CallerConfiguration], registry: PrometheusRegistry, now: @escaping @Sendable () -> NumericDate) {
        self.now = now
        authentications = NamedMetricTable(
            counter: "fleet_token_authn_total",
            help: "Requests by who asks: how it was said, the caller's name in the configuration, and the outcome.",
            label: "issuer",
            names: Set(callers.map(\.name) + [Self.nobody]),
            in: registry
        )
        let issuers = Set(callers.filter(\.hasKeys).map(\.name))
        refreshes = NamedMetricTable(
            counter: "fleet_token_jwks_refresh_total",
            help: "Fetches of an issuer's keys, by whether there were good ones.",
            label: "issuer",
            names: issuers,
            in: registry
        )
        for issuer in issuers {
            for result in KeySetResultLabel.allCases { _ = refreshes[issuer]?[result] }
        }
        let name = "fleet_token_jwks_last_success_timestamp_seconds"
        registry.declare(
            name,
            .gauge,
            help: "When an issuer's keys were last fetched, in seconds since 1970; 0 before the first time.",
            capacity: issuers.count
        )
        let factory = PrometheusMetricsFactory(registry: registry)
        lastSuccess = Dictionary(
            uniqueKeysWithValues: issuers.map { issuer in
                (issuer, Meter(label: name, dimensions: [("issuer", issuer)], factory: factory))
            }
        )
    }

    /// It is known who asks.
    func accepted(_ caller: Caller) {
        count(caller.name, .init(caller.method), .accepted)
    }

    /// It is not known who asks.
    func refused(_ failure: AuthenticationFailure) {
        count(failure.caller ?? Self.nobody, .init(failure.code), .refused(failure.code))
    }

    /// Keys were fetched for these issuers, or should have been.
    func fetchedKeys(of issuers: [String], _ result: KeySetResultLabel) {
        for issuer in issuers {
            refreshes[issuer]?[result].increment()
            if result == .fetched { lastSuccess[issuer]?.set(now().seconds) }
        }
    }

    private func count(_ name: String, _ method: CallerMethodLabel, _ result: AuthenticationLabel) {
        authentications[name]?[method, result].increment()
    }
}

extension CallerConfiguration {
    fileprivate var hasKeys: Bool {
        if case .jwt = method { true } else { false }
    }
}
