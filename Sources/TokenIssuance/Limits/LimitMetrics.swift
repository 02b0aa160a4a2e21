import Telemetry

/// The metrics of rate limits.
package struct LimitMetrics: Sendable {
    /// Requests that were told to wait.
    let limited: MetricTable<Counter, LimitScopeLabel>

    /// Creates the metrics and declares them in a registry.
    init(registry: PrometheusRegistry) {
        limited = MetricTable(
            "fleet_token_ratelimited_total",
            help: "Rate-limited requests, by the limit: of a caller, or of an address before authentication.",
            in: registry
        )
        for scope in LimitScopeLabel.allCases { _ = limited[scope] }
    }
}

/// Whose rate it was.
enum LimitScopeLabel: String, MetricLabel {
    /// A caller's that is known.
    case caller
    /// The rate of an address whose requests fail before authentication.
    case address

    static let labelName = "scope"
}
