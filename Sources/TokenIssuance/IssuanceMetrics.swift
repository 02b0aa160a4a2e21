public import FleetToken
public import Telemetry

/// The metrics of the way from a credential to a recorded decision.
///
/// Each metric is declared once: name, help, and labels by its type.
package final class IssuanceMetrics: Sendable {
    /// Granted requests for tokens.
    package let minted: MetricTable<Counter, LabelPair<TokenKind, MintResultLabel>>
    /// The time that the minter took.
    package let mintDuration: MetricTable<Histogram, LabelPair<TokenKind, MintResultLabel>>
    /// The time that a signature took.
    package let signDuration: MetricTable<Histogram, LabelPair<SignerLabel, SignResultLabel>>
    /// The time that signatures wait for their turn.
    package let signQueue: MetricTable<Histogram, SignerLabel>
    /// Requests over a rate limit, or that may not wait.
    package let limits: LimitMetrics
    package let webhooks: WebhookMetrics
    /// The audit trail.
    package let audit: AuditMetrics

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry) {
        minted = MetricTable(
            "fleet_token_minted_total",
            help: "Granted token requests, by kind and result: signed, reused or failed.",
            in: registry
        )
        mintDuration = MetricTable(
            "fleet_token_mint_duration_seconds",
            help: "Duration of minting, by kind and result: signed, reused or failed.",
            in: registry
        )
        signDuration = MetricTable(
            "fleet_token_sign_duration_seconds",
            help: "Duration of signing; for local keys with the time in the queue.",
            in: registry
        )
        signQueue = MetricTable(
            "fleet_token_sign_queue_seconds",
            help: "Time in the signing queue, by signer.",
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

extension TokenKind: MetricLabel {
    /// `kind`.
    public static let labelName = "kind"
}

/// The result of a granted token request.
package enum MintResultLabel: String, MetricLabel {
    /// A token was signed.
    case signed
    /// A token that was signed before was issued again.
    case reused
    /// No token was issued, because of an internal error or a failed signer.
    case failed

    package static let labelName = "result"
}
