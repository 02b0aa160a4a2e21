import FleetToken

/// The decision on a request: the evaluated grants and their verdicts.
package struct GrantDecision: Sendable, Hashable {
    /// A grant's verdict.
    package enum Verdict: Sendable, Hashable {
        /// The caller may have the scope.
        case allows
        /// The caller may have it if all of these allow it.
        case asks(webhooks: [String])
        /// This is in the way.
        case refuses(DenialReason)
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
        steps.last { $0.verdict == .allows }?.grant
    }

    /// The error for the caller if no grant allows the request: it reveals nothing about claims, grants or webhooks.
    var denial: TokenError {
        var denial = TokenError(
            .kindNotGranted,
            "Permission denied for this kind of token. Ask the service's operator for access."
        )
        for case .refuses(let obstacle) in steps.map(\.verdict) where obstacle.isAboutResources {
            // A missing response could have been an allow, so this denial is not final.
            switch obstacle {
            case .webhook(_, .noAnswer(_, let seconds)):
                return TokenError(
                    .authorizationUnavailable,
                    "Authorization is temporarily unavailable. Retry later.",
                    retryAfter: seconds.map { max(1, Int($0.rounded(.up))) } ?? 5
                )
            case .webhook(_, .overloaded):
                return TokenError(
                    .overloaded,
                    "Authorization is overloaded. Retry later.",
                    retryAfter: 1
                )
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
        case .allows: "allows the request"
        case .asks(let webhooks): "calls \(webhooks.joined(separator: " and "))"
        case .refuses(let obstacle): "\(obstacle)"
        }
    }
}
