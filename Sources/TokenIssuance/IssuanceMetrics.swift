public import FleetToken
public import ServiceSupport
package import TokenMinting

/// The metrics of the way from a credential to a recorded decision.
///
/// Each metric is declared once: name, help, and labels by its type.
package final class IssuanceMetrics: Sendable {
    /// Granted requests for tokens.
    package let minted: MetricTable<Counter, LabelPair<TokenKind, MintResultLabel>>
    /// Refused requests for tokens.
    package let denied: MetricTable<Counter, LabelPair<RequestedKindLabel, RefusalReasonLabel>>
    /// The time that the minter took.
    package let mintDuration: MetricTable<Histogram, LabelPair<TokenKind, MintResultLabel>>
    package let signing: SigningMetrics
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
        denied = MetricTable(
            "fleet_token_denied_total",
            help: "Refused token requests, by kind and error reason.",
            in: registry
        )
        mintDuration = MetricTable(
            "fleet_token_mint_duration_seconds",
            help: "Duration of minting, by kind and result: signed, reused or failed.",
            in: registry
        )
        signing = SigningMetrics(registry: registry)
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

/// The requested kind of token, if any.
package enum RequestedKindLabel: MetricLabel {
    case kind(TokenKind)
    case unknown

    package static let labelName = TokenKind.labelName
    package static let allCases = TokenKind.allCases.map(Self.kind) + [.unknown]

    package var labelValue: String {
        switch self {
        case .kind(let kind): kind.labelValue
        case .unknown: "unknown"
        }
    }
}

/// Why a token request was refused: the error reason in the response.
package struct RefusalReasonLabel: MetricLabel {
    private let reason: TokenError.Reason

    package static let labelName = "reason"
    package static let allCases = TokenError.Reason.all.map(Self.init)

    package var labelValue: String { reason.rawValue }

    package init(_ reason: TokenError.Reason) {
        self.reason = reason
    }
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
