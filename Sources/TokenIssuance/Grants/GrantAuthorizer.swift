package import FleetToken
package import Logging
package import ServiceConfiguration

/// Decides by the configuration's grants.
///
/// Whatever no grant allows is denied. One grant has to allow all of a request; two that each allow a part of it don't
/// add up. Grants that need no webhook are looked at first, so that a webhook is asked only where its answer matters.
package struct GrantAuthorizer: Authorizer {
    private let grants: [GrantConfiguration]
    private let privilegedKinds: Set<TokenKind>
    private let alphabet: ResourceID.Alphabet
    private let webhooks: [String: any ScopeWebhook]
    private let logger: Logger

    /// An authorizer.
    ///
    /// - Parameters:
    ///   - grants: Who may have what.
    ///   - privilegedKinds: The kinds of which the configuration says that their tokens may open everything.
    ///   - alphabet: Which scalars IDs may have, those in claims too.
    ///   - webhooks: The services that grants ask, by name.
    ///   - logger: Is told why a request is denied, and of webhooks that don't work.
    package init(
        grants: [GrantConfiguration],
        privilegedKinds: Set<TokenKind>,
        alphabet: ResourceID.Alphabet,
        webhooks: [String: any ScopeWebhook],
        logger: Logger
    ) {
        self.grants = grants.filter { !$0.asksWebhook } + grants.filter(\.asksWebhook)
        self.privilegedKinds = privilegedKinds
        self.alphabet = alphabet
        self.webhooks = webhooks
        self.logger = logger
    }

    package func authorize(_ caller: Caller, for scope: TokenScope, requestID: String) async throws -> String {
        let decision = await decide(caller, scope, requestID: requestID)
        guard let grant = decision.grant else {
            logger.debug(
                "No grant allows the request.",
                metadata: ["request_id": "\(requestID)", "caller": "\(caller.name)", "decision": "\(decision)"]
            )
            throw decision.denial
        }
        return grant
    }

    /// The decision as far as the configuration makes it: where it hangs on a webhook, it says which.
    package func decideWithoutWebhooks(_ caller: Caller, _ scope: TokenScope) -> GrantDecision {
        let request = GrantRequest(caller: caller, scope: scope, privilegedKinds: privilegedKinds, alphabet: alphabet)
        var decision = GrantDecision()
        for grant in grants {
            let verdict = grant.verdict(on: request)
            decision.steps.append(.init(grant: grant.name, verdict: verdict))
            if verdict == .allows { break }
        }
        return decision
    }

    /// The decision, with webhooks asked where it hangs on them.
    func decide(_ caller: Caller, _ scope: TokenScope, requestID: String) async -> GrantDecision {
        var decision = decideWithoutWebhooks(caller, scope)
        guard decision.grant == nil else { return decision }
        for index in decision.steps.indices {
            guard case .asks(let names) = decision.steps[index].verdict else { continue }
            let verdict = await ask(names, caller, scope, requestID)
            decision.steps[index].verdict = verdict
            if verdict == .allows { break }
        }
        return decision
    }

    /// Asks webhooks, all of which must allow the request.
    private func ask(
        _ names: [String],
        _ caller: Caller,
        _ scope: TokenScope,
        _ requestID: String
    ) async -> GrantDecision.Verdict {
        for name in names {
            let answer =
                await webhooks[name]?.answer(caller, scope, requestID: requestID) ?? .noAnswer("it is not configured")
            guard answer != .allowed else { continue }
            // Overload is counted, and would fill the log.
            if answer != .denied, answer != .overloaded {
                logger.warning(
                    "A webhook did not decide.",
                    metadata: ["request_id": "\(requestID)", "webhook": "\(name)", "answer": "\(answer)"]
                )
            }
            return .refuses(.webhook(name: name, answer))
        }
        return .allows
    }
}
