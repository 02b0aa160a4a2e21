import CoreMetrics
import FleetToken
import JOSE
import TokenMinting

/// The service's own metrics, each declared once: its name, what it tells, and by its type its labels.
///
/// Names follow Prometheus' conventions: one prefix, base units, `_total` on counters, `_info` on what never changes.
/// Other modules reach a metric of this table through swift-metrics, by its name and labels.
///
/// A class, since each request passes it on: to copy all its tables would cost more than to count.
final class ServiceMetrics: Sendable {
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
    /// Reloads of the configuration and its files.
    let reloads: MetricTable<Counter, ReloadResultLabel>
    /// When what serves now was loaded, in seconds since 1970.
    let lastReload: Meter
    private let registry: PrometheusRegistry

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
        reloads = MetricTable(
            counter: "fleet_token_config_reload_total",
            help: "Reloads of the configuration and its files, by result.",
            in: registry
        )
        let factory = PrometheusMetricsFactory(registry: registry)
        let lastReload = "fleet_token_config_last_reload_success_timestamp_seconds"
        registry.declare(lastReload, .gauge, help: "When what serves now was loaded, in Unix time.", capacity: 1)
        self.lastReload = Meter(label: lastReload, factory: factory)
        registry.declare(
            Self.keyInfo,
            .gauge,
            help: "The keys of each kind and where they stand in a rotation; always 1.",
            // Google publishes several keys for an account whose key it holds.
            capacity: TokenKind.allCases.count * 16
        )
        self.registry = registry
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
        for result in ReloadResultLabel.allCases { _ = reloads[result] }
        let buildInfo = "fleet_token_build_info"
        registry.declare(buildInfo, .gauge, help: "The version that runs; always 1.", capacity: 1)
        Meter(label: buildInfo, dimensions: [("version", version)], factory: factory).set(1)
    }

    private static let keyInfo = "fleet_token_key_info"

    /// Shows the keys that there are at a time, and no others.
    func show(_ rings: [TokenKind: KeyRing], at now: NumericDate) {
        let keys = rings.flatMap { kind, ring in
            ring.keys(at: now).map { state, key in
                // What a person needs to tell one from the other; Google's IDs have 40 digits.
                [("kind", kind.labelValue), ("kid", String(key.keyID.prefix(16))), ("state", state.rawValue)]
            }
        }
        registry.replaceGauges(Self.keyInfo, with: keys)
    }
}
