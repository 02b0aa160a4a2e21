package import Telemetry

/// The metrics of a listener's connections.
package struct ConnectionMetrics: Sendable {
    /// Connections that are open now.
    let open: Gauge
    /// Connections that were closed at once, because there were too many.
    let refused: Counter

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry) {
        open = registry.series("fleet_token_connections", help: "Open connections on the public listener.")
        refused = registry.series(
            "fleet_token_connections_refused_total",
            help:
                "Connections refused because limits.connections or limits.connectionsPerAddress was reached."
        )
    }
}
