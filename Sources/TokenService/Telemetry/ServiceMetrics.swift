import CoreMetrics
import FleetToken

/// The service's own metrics, each declared once: its name, what it tells, and by its type its labels.
///
/// Names follow Prometheus' conventions: one prefix, base units, `_total` on counters, `_info` on what never changes.
/// Other modules reach a metric of this table through swift-metrics, by its name and labels.
struct ServiceMetrics: Sendable {
    /// Requests that were answered.
    let requests: MetricTable<Counter, LabelPair<LabelPair<RouteLabel, MethodLabel>, StatusLabel>>
    /// The time from a request's head to its answer's end.
    let requestDuration: MetricTable<Timer, RouteLabel>
    /// Granted requests for tokens.
    let minted: MetricTable<Counter, LabelPair<TokenKind, MintResultLabel>>
    /// Refused requests for tokens.
    let denied: MetricTable<Counter, LabelPair<AskedKindLabel, DenialLabel>>
    /// The time that the minter took.
    let mintDuration: MetricTable<Timer, LabelPair<TokenKind, MintResultLabel>>
    /// The time that a signature took.
    let signDuration: MetricTable<Timer, LabelPair<SignerLabel, SignResultLabel>>

    /// What is too much.
    let limits: LimitMetrics
    /// What webhooks answer.
    let webhooks: WebhookMetrics
    /// Lines of the audit trail.
    let auditWrites: MetricTable<Counter, LabelPair<AuditSinkLabel, AuditResultLabel>>

    /// Declares all of them in a registry.
    ///
    /// - Parameters:
    ///   - registry: Where they count.
    ///   - version: The service's version, for `fleet_token_build_info`.
    init(registry: PrometheusRegistry, version: String) {
        requests = MetricTable(
            counter: "fleet_token_http_requests_total",
            help: "HTTP requests answered, by route template, method and status code.",
            in: registry
        )
        requestDuration = MetricTable(
            timer: "fleet_token_http_request_duration_seconds",
            help: "Time from an HTTP request's head to the end of its answer.",
            in: registry
        )
        minted = MetricTable(
            counter: "fleet_token_minted_total",
            help: "Granted requests for a token, by kind and by whether it was signed, reused or failed.",
            in: registry
        )
        denied = MetricTable(
            counter: "fleet_token_denied_total",
            help: "Refused requests for a token, by kind and by the reason that the caller was told.",
            in: registry
        )
        mintDuration = MetricTable(
            timer: "fleet_token_mint_duration_seconds",
            help: "Time the minter took, by kind and by whether a token was signed, reused or failed.",
            in: registry
        )
        signDuration = MetricTable(
            timer: "fleet_token_sign_duration_seconds",
            help: "Time a signature took.",
            in: registry
        )
        limits = LimitMetrics(registry: registry)
        webhooks = WebhookMetrics(registry: registry)
        auditWrites = MetricTable(
            counter: "fleet_token_audit_write_total",
            help: "Lines of the audit trail, by where they go and whether they could be written.",
            in: registry
        )
        // These start at zero, so that `rate()` sees even a kind's first failure.
        for kind in TokenKind.allCases {
            for result in MintResultLabel.allCases { _ = minted[kind, result] }
        }
        let buildInfo = "fleet_token_build_info"
        registry.declare(buildInfo, .gauge, help: "The version that runs; always 1.", capacity: 1)
        let factory = PrometheusMetricsFactory(registry: registry)
        Meter(label: buildInfo, dimensions: [("version", version)], factory: factory).set(1)
    }
}
