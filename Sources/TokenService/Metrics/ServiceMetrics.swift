import FleetToken
import JOSE
import ServiceSupport
import TokenIssuance
import TokenMinting

/// The service's own metrics, each declared once: name, help, and labels by its type.
///
/// Names follow Prometheus's conventions: one prefix, base units, `_total` for counters, `_info` for constants.
final class ServiceMetrics: Sendable {
    let registry = PrometheusRegistry()
    /// Requests that got a response.
    let requests: MetricTable<Counter, LabelPair<LabelPair<RouteLabel, MethodLabel>, StatusLabel>>
    /// The time from the request head to the end of the response.
    let requestDuration: MetricTable<Histogram, RouteLabel>
    /// Reloads of the configuration and its files.
    let reloads: MetricTable<Counter, ReloadResultLabel>
    /// The time at which the running configuration was loaded, in seconds since 1970.
    let lastReload: Gauge
    /// Whether requests may be sent here.
    let ready: Gauge
    /// The wall clock when the page was written.
    let clock: Gauge
    /// How late event loops are.
    let eventLoopLag: Histogram
    /// Metrics of the process; nil where the system has none.
    let process: ProcessMetrics?
    /// The keys that there are.
    let keys: SigningKeyMetrics
    /// When credentials end.
    let credentials: CredentialDisplay
    /// From the credential to the recorded decision.
    let issuance: IssuanceMetrics
    /// Connections of the public listener.
    let connections: (open: Gauge, refused: Counter)

    /// Creates the metrics and declares them in their registry.
    init() {
        requests = MetricTable(
            "fleet_token_http_requests_total",
            help: "HTTP responses, by route template, method and status code.",
            in: registry
        )
        requestDuration = MetricTable(
            "fleet_token_http_request_duration_seconds",
            help: "Time from the head of an HTTP request to the end of its response.",
            in: registry
        )
        reloads = MetricTable(
            "fleet_token_config_reload_total",
            help: "Reloads of the configuration and its files, by result.",
            in: registry
        )
        lastReload = registry.series(
            "fleet_token_config_last_reload_success_timestamp_seconds",
            help: "Unix time at which the running configuration was loaded."
        )
        ready = registry.series("fleet_token_ready", help: "1 while /readyz returns 200, otherwise 0.")
        clock = registry.series(
            "fleet_token_clock_timestamp_seconds",
            help: "The replica's clock when the page was written, in Unix time; compare it with the time of the scrape."
        )
        eventLoopLag = registry.series(
            "fleet_token_event_loop_lag_seconds",
            help: "How late event loops are, measured on each once per second."
        )
        process = ProcessMetrics(registry: registry)
        keys = SigningKeyMetrics(registry: registry)
        registry.add(
            "fleet_token_log_lines_dropped_total",
            help: "Lines dropped because the reader of standard error or output was too slow.",
            [
                ([("stream", "stdout")], LineWriter.standardOutput.dropped),
                ([("stream", "stderr")], LineWriter.standardError.dropped),
            ]
        )
        credentials = CredentialDisplay(registry: registry)
        issuance = IssuanceMetrics(registry: registry)
        connections = Self.connections(in: registry)
        // These start at zero, so that `rate()` sees even the first failure.
        for result in ReloadResultLabel.allCases { _ = reloads[result] }
        registry.gauges("fleet_token_build_info", help: "The running version; always 1.")([
            ([("version", ProductVersion.current)], 1)
        ])
    }

    private static func connections(in registry: PrometheusRegistry) -> (open: Gauge, refused: Counter) {
        (
            registry.series("fleet_token_connections", help: "Open connections on the public listener."),
            registry.series(
                "fleet_token_connections_refused_total",
                help:
                    "Connections refused because limits.connections, or the share of one address, was reached."
            )
        )
    }
}

extension ServerCertificate {
    /// Creates the holder of the public listener's certificate, and publishes its expiry in a registry.
    convenience init(_ certificate: LoadedCertificate, registry: PrometheusRegistry) {
        self.init(
            certificate,
            expiry: registry.series(
                "fleet_token_tls_cert_not_after_timestamp_seconds",
                help: "Unix time at which the public listener's certificate expires."
            )
        )
    }
}
