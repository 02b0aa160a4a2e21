import FleetToken
import HTTPServer
import JOSE
import Telemetry
import TokenIssuance
import TokenMinting

/// The service's own metrics, each declared once: its name, what it tells, and by its type its labels.
///
/// Names follow Prometheus' conventions: one prefix, base units, `_total` on counters, `_info` on what never changes.
///
/// A class, since each request passes it on: to copy all its tables would cost more than to count.
final class ServiceMetrics: Sendable {
    /// Requests that were answered.
    let requests: MetricTable<Counter, LabelPair<LabelPair<RouteLabel, MethodLabel>, StatusLabel>>
    /// The time from a request's head to its answer's end.
    let requestDuration: MetricTable<Histogram, RouteLabel>
    /// Refused requests for tokens.
    let denied: MetricTable<Counter, LabelPair<AskedKindLabel, DenialLabel>>
    /// Reloads of the configuration and its files.
    let reloads: MetricTable<Counter, ReloadResultLabel>
    /// When what serves now was loaded, in seconds since 1970.
    let lastReload: Gauge
    private let showKeys: @Sendable ([[(name: String, value: String)]]) -> Void

    /// From the credential to the recorded decision.
    let issuance: IssuanceMetrics
    /// Connections of the public listener.
    let connections: ConnectionMetrics

    /// Declares all of them in a registry.
    ///
    /// - Parameters:
    ///   - registry: Where they count.
    ///   - version: The service's version, for `fleet_token_build_info`.
    init(registry: PrometheusRegistry, version: String) {
        requests = MetricTable(
            "fleet_token_http_requests_total",
            help: "HTTP requests answered, by route template, method and status code.",
            in: registry
        )
        requestDuration = MetricTable(
            "fleet_token_http_request_duration_seconds",
            help: "Time from an HTTP request's head to the end of its answer.",
            in: registry
        )
        denied = MetricTable(
            "fleet_token_denied_total",
            help: "Refused requests for a token, by kind and by the reason that the caller was told.",
            in: registry
        )
        reloads = MetricTable(
            "fleet_token_config_reload_total",
            help: "Reloads of the configuration and its files, by result.",
            in: registry
        )
        lastReload = registry.series(
            "fleet_token_config_last_reload_success_timestamp_seconds",
            help: "When what serves now was loaded, in Unix time."
        )
        showKeys = registry.info(
            "fleet_token_key_info",
            help: "The keys of each kind and where they stand in a rotation; always 1."
        )
        let droppedLines: MetricTable<Counter, LogStreamLabel> = MetricTable(
            "fleet_token_log_lines_dropped_total",
            help: "Lines dropped because the reader of standard error or output was too slow.",
            in: registry
        )
        LineWriter.standardOutput.countDrops(droppedLines[.standardOutput])
        LineWriter.standardError.countDrops(droppedLines[.standardError])
        issuance = IssuanceMetrics(registry: registry)
        connections = ConnectionMetrics(registry: registry)
        // These start at zero, so that `rate()` sees even the first failure.
        for result in ReloadResultLabel.allCases { _ = reloads[result] }
        let buildInfo = registry.info("fleet_token_build_info", help: "The version that runs; always 1.")
        buildInfo([[("version", version)]])
    }

    /// Shows the keys that there are at a time, and no others.
    func show(_ rings: [TokenKind: KeyRing], at now: NumericDate) {
        let keys = rings.flatMap { kind, ring in
            ring.keys(at: now).map { state, key in
                // What a person needs to tell one from the other; Google's IDs have 40 digits.
                [
                    (name: "kind", value: kind.labelValue), ("kid", String(key.keyID.prefix(16))),
                    ("state", state.rawValue),
                ]
            }
        }
        showKeys(keys)
    }
}

/// A standard stream.
enum LogStreamLabel: String, MetricLabel {
    case standardOutput = "stdout"
    case standardError = "stderr"

    static let labelName = "stream"
}
