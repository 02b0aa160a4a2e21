import FleetToken

/// The decision on a request: the evaluated grants and their verdicts.
package struct GrantDecision: Sendable, Hashable {
    package enum Verdict: Sendable, Hashable {
        /// The grant allows the request.
        case allowed
        /// The grant allows the request if all of these webhooks do.
        case needsWebhook([String])
        /// The grant does not allow the request.
        case denied(DenialReason)
    }

    /// One grant and its verdict.
    package struct Step: Sendable, Hashable {
        package let grant: String
        package var verdict: Verdict
    }

    /// The evaluated grants, in order; none after one that allows the request.
    package var steps: [Step] = []

    /// The name of the grant that allows the request: one at most does, and without a webhook it is the last.
    package var grant: String? {
        steps.last { $0.verdict == .allowed }?.grant
    }

    /// The error for the caller if no grant allows the request: it reveals nothing about claims, grants or webhooks.
    var denial: TokenError {
        var denial = TokenError(
            .kindNotGranted,
            "Permission denied for this kind of token. Ask the service's operator for access."
        )
        for case .denied(let reason) in steps.map(\.verdict) where reason.isAboutResources {
            // A missing response could have been an allow, so this denial is not final.
            switch reason {
            case .webhook(_, .noResponse(_, let seconds)):
                return TokenError(
                    .authorizationUnavailable,
                    "Authorization is temporarily unavailable. Retry later.",
                    retryAfter: seconds.map { max(1, Int($0.rounded(.up))) } ?? 5
                )
            case .webhook(_, .overloaded):
                return TokenError(.overloaded, "Authorization is overloaded. Retry later.", retryAfter: 1)
            default: break
            }
            denial = TokenError(
                .idNotGranted,
                "Permission denied for this ID. Request a token for an ID that is assigned to you."
            )
        }
        return denial
    }
}

extension GrantDecision: CustomStringConvertible {
    /// Each grant and its verdict, for the operator.
    package var description: String {
        steps.map { "\($0.grant): \($0.verdict)" }.joined(separator: "; ")
    }
}

extension GrantDecision.Verdict: CustomStringConvertible {
    /// The verdict, in short.
    package var description: String {
        switch self {
        case .allowed: "allows the request"
        case .needsWebhook(let webhooks): "needs webhook \(webhooks.joined(separator: " and "))"
        case .denied(let reason): "\(reason)"
        }
    }
}
