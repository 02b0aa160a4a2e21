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

/// The limit that was exceeded.
enum LimitScopeLabel: String, MetricLabel {
    /// The limit of an authenticated caller.
    case caller
    /// The limit of an address whose requests fail before authentication.
    case address

    static let labelName = "scope"
}
