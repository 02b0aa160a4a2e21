import Telemetry

/// The metrics of rate limits.
package struct LimitMetrics: Sendable {
    /// Requests that were told to wait.
    let limited: MetricTable<Counter, LimitScopeLabel>

    /// Creates the metrics and declares them in a registry.
    init(registry: PrometheusRegistry) {
        limited = MetricTable(
            "fleet_token_ratelimited_total",
            help: "Requests told to wait, by whether the caller asked too often or the address failed to say who asks.",
            in: registry
        )
        for scope in LimitScopeLabel.allCases { _ = limited[scope] }
    }
}

/// Whose rate it was.
enum LimitScopeLabel: String, MetricLabel {
    /// A caller's that is known.
    case caller
    /// That of an address whose requests fail to say who asks.
    case address

    static let labelName = "scope"
}
