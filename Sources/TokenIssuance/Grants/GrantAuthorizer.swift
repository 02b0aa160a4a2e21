package import FleetToken

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
    private let webhooks: [String: AuthorizationWebhook]

    /// Creates an authorizer, with the webhooks that grants use by their names.
    package init(grants: [GrantConfiguration], webhooks: [String: AuthorizationWebhook] = [:]) {
        self.grants = grants.filter { !$0.needsWebhook } + grants.filter(\.needsWebhook)
        index = GrantIndex(self.grants)
        self.webhooks = webhooks
    }

    package func authorize(
        _ caller: Caller,
        for scope: TokenScope,
        in call: IncomingCall
    ) async throws(Refusal) -> String {
        var decision = GrantDecision()
        for candidate in index.candidates(for: scope, of: caller.name) {
            let verdict = grants[candidate].verdict(for: caller, scope)
            if verdict == .allowed { return grants[candidate].name }
            decision.add(verdict, of: grants[candidate].name)
        }
        do {
            try await callWebhooks(of: &decision, caller, scope: scope, in: call)
        } catch {
            throw .abandoned
        }
        if let grant = decision.grant { return grant }
        // Lists without the ID are no candidates, and may be all that the caller has of the kind. One of them says so.
        let lists = decision.isKindGranted ? [] : index.lists(of: caller.name, for: scope.kind)
        let list = lists.first { grants[$0].isFor(caller, scope.kind) } ?? (decision.steps.isEmpty ? lists.first : nil)
        if let list { decision.add(grants[list].verdict(for: caller, scope), of: grants[list].name) }
        throw Refusal(denied: decision)
    }

    /// Returns what each grant says, up to the first that allows the request; webhooks are not called.
    package func explain(_ caller: Caller, _ scope: TokenScope) -> GrantDecision {
        var decision = GrantDecision()
        for grant in grants {
            let verdict = grant.verdict(for: caller, scope)
            decision.add(verdict, of: grant.name)
            if verdict == .allowed { break }
        }
        return decision
    }

    /// Calls the webhooks that a decision depends on, in turn, until a grant allows the request.
    func callWebhooks(
        of decision: inout GrantDecision,
        _ caller: Caller,
        scope: TokenScope,
        in call: IncomingCall
    ) async throws(CancellationError) {
        for index in decision.steps.indices {
            guard case .needsWebhook(let names) = decision.steps[index].verdict else { continue }
            let verdict = try await verdict(of: names, caller, scope: scope, in: call)
            decision.steps[index].verdict = verdict
            if verdict == .allowed { return }
        }
    }

    /// Calls the webhooks of a grant, all of which must allow the request.
    private func verdict(
        of names: [String],
        _ caller: Caller,
        scope: TokenScope,
        in call: IncomingCall
    ) async throws(CancellationError) -> GrantDecision.Verdict {
        for name in names {
            let result = try await webhooks[name]?.result(for: caller, scope, in: call)
            guard result == .allowed else {
                return .denied(.webhook(name: name, result ?? .noResponse("it is not configured")))
            }
        }
        return .allowed
    }
}
