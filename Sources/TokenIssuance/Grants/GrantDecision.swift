import FleetToken

/// The decision on a request: the evaluated grants and their verdicts.
package struct GrantDecision: Sendable, Hashable {
    /// How many grants its description has.
    private static let maximumDescribed = 8

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

        /// What a webhook said, if that is why the grant does not allow the request.
        fileprivate var webhookResult: WebhookResult? {
            if case .denied(.webhook(_, let result)) = verdict { result } else { nil }
        }

        /// Whether the grant's webhook did not decide.
        fileprivate var isUndecided: Bool { webhookResult.map { $0 != .denied } ?? false }
    }

    /// The grants of the caller that were evaluated, in order; none after one that allows the request.
    package var steps: [Step] = []

    /// Whether a grant gives the caller the kind, if only for other resources.
    private(set) var isKindGranted = false

    /// The name of the grant that allows the request: one at most does, and without a webhook it is the last.
    package var grant: String? {
        steps.last { $0.verdict == .allowed }?.grant
    }

    /// Whether a webhook is at fault.
    package var hasWebhookFault: Bool { steps.contains { $0.webhookResult?.isFault ?? false } }

    /// Adds the verdict of a grant.
    mutating func add(_ verdict: Verdict, of grant: String) {
        steps.append(Step(grant: grant, verdict: verdict))
        if case .denied(let reason) = verdict, !reason.isAboutResources { return }
        isKindGranted = true
    }

    /// The error for the caller if no grant allows the request: it reveals nothing about claims, grants or webhooks.
    var denial: TokenError {
        for result in steps.compactMap(\.webhookResult) {
            // A missing response could have been an allow, so this denial is not final.
            switch result {
            case .noResponse(_, let seconds):
                return TokenError(
                    .authorizationUnavailable,
                    "Authorization is temporarily unavailable. Retry later.",
                    retryAfter: seconds.map { max(1, Int($0.rounded(.up))) } ?? 5
                )
            case .overloaded:
                return TokenError(.overloaded, "Authorization is overloaded. Retry later.", retryAfter: 1)
            case .allowed, .denied, .noDecision: break
            }
        }
        return isKindGranted
            ? TokenError(
                .idNotGranted,
                "Permission denied for this ID. Request a token for an ID that is assigned to you."
            )
            : TokenError(
                .kindNotGranted,
                "Permission denied for this kind of token. Ask the service's operator for access."
            )
    }
}

extension GrantDecision {
    /// What the operator can do if no grant allows the request.
    var advice: String {
        switch denial.reason {
        case .authorizationUnavailable: "Check the webhook that decision names."
        case .overloaded: "Let the webhook that decision names respond faster."
        default:
            hasWebhookFault
                ? "Correct the response of the webhook that decision names."
                : "Change a grant (tokend explain shows what each says), or correct the client's request."
        }
    }
}

extension GrantDecision: CustomStringConvertible {
    /// The first grants for the kind and their verdicts, for the operator; those whose webhook did not decide come before
    /// the others.
    package var description: String {
        let steps = steps.filter { $0.verdict != .denied(.kind) }
        guard !steps.isEmpty else { return "the caller has no grant for this kind" }
        let ordered = steps.filter(\.isUndecided) + steps.filter { !$0.isUndecided }
        let texts = ordered.prefix(Self.maximumDescribed).map { "\($0.grant): \($0.verdict)" }
        let others = steps.count - texts.count
        return (texts + (others > 0 ? ["and \(others) more"] : [])).joined(separator: "; ")
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
