import CoreMetrics

/// Metrics of what is too much: rates and connections.
struct LimitMetrics: Sendable {
    /// Requests that were told to wait.
    let limited: MetricTable<Counter, LimitScopeLabel>
    /// Connections that are open now on the public listener.
    let connections: Meter
    /// Connections that were closed at once, because there were too many.
    let refusedConnections: Counter

    /// Declares them in a registry.
    init(registry: PrometheusRegistry) {
        limited = MetricTable(
            counter: "fleet_token_ratelimited_total",
            help: "Requests told to wait, by whether the caller asked too often or the address failed to say who asks.",
            in: registry
        )
        for scope in LimitScopeLabel.allCases { _ = limited[scope] }
        let factory = PrometheusMetricsFactory(registry: registry)
        let connections = "fleet_token_connections"
        registry.declare(connections, .gauge, help: "Open connections on the public listener.", capacity: 1)
        self.connections = Meter(label: connections, factory: factory)
        self.connections.set(0)
        let refused = "fleet_token_connections_refused_total"
        registry.declare(
            refused,
            .counter,
            help:
                "Connections closed at once, because there were as many as limits.connections or connectionsPerAddress.",
            capacity: 1
        )
        refusedConnections = Counter(label: refused, factory: factory)
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
