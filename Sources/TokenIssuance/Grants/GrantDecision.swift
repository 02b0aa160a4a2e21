import FleetToken

/// What became of a request: which grants were looked at, and what each said.
package struct GrantDecision: Sendable, Hashable {
    /// What a grant says.
    package enum Verdict: Sendable, Hashable {
        /// The caller may have the scope.
        case allows
        /// The caller may have it if all of these allow it.
        case asks(webhooks: [String])
        /// This is in the way.
        case refuses(DenialReason)
    }

    /// One grant and what it says.
    package struct Step: Sendable, Hashable {
        package let grant: String
        package var verdict: Verdict
    }

    /// The grants that were looked at, in that order; none after one that allows the request.
    package var steps: [Step] = []

    /// The name of the grant that allows the request: one at most does, and without a webhook it is the last.
    package var grant: String? {
        steps.last { $0.verdict == .allows }?.grant
    }

    /// What the caller is told when no grant allows the request: nothing about claims, grants or webhooks.
    var denial: TokenError {
        var denial = TokenError(
            .kindNotGranted,
            "You may not have this kind of token. Ask the service's operator for it."
        )
        for case .refuses(let obstacle) in steps.map(\.verdict) where obstacle.isAboutResources {
            // An answer that could not be had might have been a yes, so this one is not final.
            switch obstacle {
            case .webhook(_, .noAnswer(_, let seconds)):
                return TokenError(
                    .authorizationUnavailable,
                    "Permission cannot be checked now. Try again.",
                    retryAfter: seconds.map { max(1, Int($0.rounded(.up))) } ?? 5
                )
            case .webhook(_, .overloaded):
                return TokenError(
                    .overloaded,
                    "The service has more permissions to check than it can. Try again.",
                    retryAfter: 1
                )
            default: break
            }
            denial = TokenError(.idNotGranted, "You may not have a token for this. Ask for what is assigned to you.")
        }
        return denial
    }
}

extension GrantDecision: CustomStringConvertible {
    /// Each grant and what it says, for the operator.
    package var description: String {
        steps.map { "\($0.grant): \($0.verdict)" }.joined(separator: "; ")
    }
}

extension GrantDecision.Verdict: CustomStringConvertible {
    /// The verdict in a few words.
    package var description: String {
        switch self {
        case .allows: "allows it"
        case .asks(let webhooks): "asks \(webhooks.joined(separator: " and "))"
        case .refuses(let obstacle): "\(obstacle)"
        }
    }
}
