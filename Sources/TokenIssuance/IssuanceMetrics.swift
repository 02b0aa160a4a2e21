package import FleetToken
package import Telemetry

/// The metrics of the way from a credential to a recorded decision.
///
/// Each is declared once: its name, what it tells, and by its type its labels. A class, since each request passes it on: to
/// copy all its tables would cost more than to count.
package final class IssuanceMetrics: Sendable {
    /// Granted requests for tokens.
    package let minted: MetricTable<Counter, LabelPair<TokenKind, MintResultLabel>>
    /// The time that the minter took.
    package let mintDuration: MetricTable<Histogram, LabelPair<TokenKind, MintResultLabel>>
    /// The time that a signature took.
    package let signDuration: MetricTable<Histogram, LabelPair<SignerLabel, SignResultLabel>>
    /// Requests over a rate limit.
    package let limits: LimitMetrics
    /// What webhooks answer.
    package let webhooks: WebhookMetrics
    /// The audit trail.
    package let audit: AuditMetrics

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry) {
        minted = MetricTable(
            "fleet_token_minted_total",
            help: "Granted requests for a token, by kind and by whether it was signed, reused or failed.",
            in: registry
        )
        mintDuration = MetricTable(
            "fleet_token_mint_duration_seconds",
            help: "Time the minter took, by kind and by whether a token was signed, reused or failed.",
            in: registry
        )
        signDuration = MetricTable(
            "fleet_token_sign_duration_seconds",
            help: "Time a signature took.",
            in: registry
        )
        limits = LimitMetrics(registry: registry)
        webhooks = WebhookMetrics(registry: registry)
        audit = AuditMetrics(registry: registry)
        // These start at zero, so that `rate()` sees even a kind's first failure.
        for kind in TokenKind.allCases {
            for result in MintResultLabel.allCases { _ = minted[kind, result] }
        }
    }
}
