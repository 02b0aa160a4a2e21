package import FleetToken
package import Logging
import ServiceSupport

/// Decides whether a caller may have a token.
package protocol Authorizer: AnyObject, Sendable {
    /// Returns the name of the grant that lets the caller have the token.
    ///
    /// - Throws: ``TokenError`` with a 403 reason when none does, or 503 when it cannot be found out.
    func authorize(_ caller: Caller, for wanted: TokenRequest, requestID: String) async throws -> String
}

/// Grants everything: for development, whose tokens open nothing.
package final class DevelopmentAuthorizer: Authorizer {
    package init() {}

    package func authorize(_ caller: Caller, for wanted: TokenRequest, requestID: String) -> String {
        "development"
    }
}

/// Decides by the configuration's grants.
///
/// Requests that no grant allows are denied. One grant must allow the whole request; grants cannot be combined. Grants
/// without a webhook are evaluated first, so that a webhook is called only if its response matters.
///
/// ## How it works
///
/// ```
/// index by caller, kind and ID ──► candidates ──► verdict of each: allowed | needsWebhook | denied(reason)
/// first allowed ──► its name is recorded          only needsWebhook left ──► call them in turn          none ──► 403
/// ```
///
/// A request for `driver` and `vehicle-1` by a caller whose only grant is `ids: {claim: vehicle_id}` is allowed if the claim is
/// `vehicle-1`, and denied with ``DenialReason/id(_:)`` otherwise. `tokend explain` prints the verdicts.
package final class GrantAuthorizer: Authorizer {
    private let grants: [GrantConfiguration]
    private let index: GrantIndex
    private let privilegedKinds: Set<TokenKind>
    private let alphabet: ResourceID.Alphabet
    private let webhooks: [String: any ScopeWebhook]
    private let logger: Logger

    /// Creates an authorizer.
    ///
    /// - Parameters:
    ///   - grants: Who may have what.
    ///   - privilegedKinds: The kinds that the configuration marks as privileged.
    ///   - alphabet: Which scalars IDs may have, those in claims too.
    ///   - webhooks: The webhooks that grants use, by name.
    ///   - logger: Logs why requests are denied, and failing webhooks.
    package init(
        grants: [GrantConfiguration],
        privilegedKinds: Set<TokenKind>,
        alphabet: ResourceID.Alphabet,
        webhooks: [String: any ScopeWebhook],
        logger: Logger
    ) {
        self.grants = grants.filter { !$0.needsWebhook } + grants.filter(\.needsWebhook)
        index = GrantIndex(self.grants)
        self.privilegedKinds = privilegedKinds
        self.alphabet = alphabet
        self.webhooks = webhooks
        self.logger = logger
    }

    package func authorize(_ caller: Caller, for wanted: TokenRequest, requestID: String) async throws -> String {
        if let grant = grantWithoutWebhook(caller, wanted) { return grant }
        return try await grantOfAll(caller, wanted, requestID: requestID)
    }

    /// Returns the name of the grant that allows the request, after a webhook's decision perhaps.
    ///
    /// All grants say why they refuse, for the log and for the reason that the caller gets.
    private func grantOfAll(_ caller: Caller, _ wanted: TokenRequest, requestID: String) async throws -> String {
        let decision = await decide(caller, wanted.scope, requestID: requestID)
        guard let grant = decision.grant else {
            logger.debug(
                "No grant allows the request.",
                metadata: [
                    RequestAttribute.requestID.rawValue: "\(requestID)",
                    RequestAttribute.caller.rawValue: "\(caller.name)", "decision": "\(decision)",
                ]
            )
            throw decision.denial
        }
        return grant
    }

    /// Returns the name of a grant that allows the request and calls no webhook.
    private func grantWithoutWebhook(_ caller: Caller, _ wanted: TokenRequest) -> String? {
        let request = GrantRequest(
            caller: caller,
            scope: wanted.scope,
            privilegedKinds: privilegedKinds,
            alphabet: alphabet
        )
        for candidate in index.candidates(for: request) where grants[candidate].verdict(on: request) == .allowed {
            return grants[candidate].name
        }
        return nil
    }

    /// Returns the decision without calling webhooks: if it depends on a webhook, it names the webhook.
    package func decideWithoutWebhooks(_ caller: Caller, _ scope: TokenScope) -> GrantDecision {
        let request = GrantRequest(caller: caller, scope: scope, privilegedKinds: privilegedKinds, alphabet: alphabet)
        var decision = GrantDecision()
        for grant in grants {
            let verdict = grant.verdict(on: request)
            decision.steps.append(.init(grant: grant.name, verdict: verdict))
            if verdict == .allowed { break }
        }
        return decision
    }

    /// Returns the decision, with calls to the webhooks that it depends on.
    func decide(_ caller: Caller, _ scope: TokenScope, requestID: String) async -> GrantDecision {
        var decision = decideWithoutWebhooks(caller, scope)
        guard decision.grant == nil else { return decision }
        for index in decision.steps.indices {
            guard case .needsWebhook(let names) = decision.steps[index].verdict else { continue }
            let verdict = await callWebhooks(names, caller: caller, scope: scope, requestID: requestID)
            decision.steps[index].verdict = verdict
            if verdict == .allowed { break }
        }
        return decision
    }

    /// Calls webhooks, all of which must allow the request.
    private func callWebhooks(
        _ names: [String],
        caller: Caller,
        scope: TokenScope,
        requestID: String
    ) async -> GrantDecision.Verdict {
        for name in names {
            let result =
                await webhooks[name]?.result(for: caller, scope, requestID: requestID)
                ?? .noResponse("it is not configured")
            guard result != .allowed else { continue }
            // Overload is counted, and would fill the log.
            if result != .denied, result != .overloaded {
                logger.warning(
                    "A webhook returned no decision.",
                    metadata: ["request_id": "\(requestID)", "webhook": "\(name)", "answer": "\(result)"]
                )
            }
            return .denied(.webhook(name: name, result))
        }
        return .allowed
    }
}
