package import FleetToken

/// Decides by the configuration's grants.
///
/// Requests that no grant allows are denied. One grant must allow the whole request; grants cannot be combined. Grants
/// without a webhook are evaluated first, so that a webhook is called only if its response matters.
///
/// ## How it works
///
/// ```
/// the caller's grants ──► verdict of each: allowed | needsWebhook | denied(reason)
/// first allowed ──► its name is recorded      only needsWebhook left ──► call them in turn      none ──► 403
/// ```
///
/// A request for `driver` and `vehicle-1` by a caller whose only grant is `ids: "{claims.vehicle_id}"` is allowed if the claim is
/// `vehicle-1`, and denied with ``DenialReason/id(_:)`` otherwise. `tokend explain` prints the verdicts.
package final class GrantAuthorizer: Sendable {
    /// The grants of each caller, in the order in which they are evaluated.
    ///
    /// Names of callers are ASCII, among which Swift's equality is that of the bytes.
    private let grants: [String: [GrantConfiguration]]
    private let webhooks: [String: AuthorizationWebhook]

    /// Creates an authorizer, with the webhooks that grants use by their names.
    package init(grants: [GrantConfiguration], webhooks: [String: AuthorizationWebhook] = [:]) {
        var groups: [String: [GrantConfiguration]] = [:]
        for grant in grants.filter({ !$0.needsWebhook }) + grants.filter(\.needsWebhook) {
            for caller in Set(grant.callers) { groups[caller, default: []].append(grant) }
        }
        self.grants = groups
        self.webhooks = webhooks
    }

    /// Returns the name of the grant that lets a caller have a token.
    ///
    /// - Throws: ``Refusal`` if there is none, or if the client has gone before there is a decision.
    func authorize(
        _ caller: Caller,
        for scope: TokenScope,
        in call: IncomingCall
    ) async throws(Refusal) -> String {
        var decision = explain(caller, scope)
        do {
            try await callWebhooks(of: &decision, caller, scope: scope, in: call)
        } catch {
            throw .abandoned
        }
        guard let grant = decision.grant else { throw .denied(decision) }
        return grant
    }

    /// Returns what each grant of the caller says, up to the first that allows the request; webhooks are not called.
    package func explain(_ caller: Caller, _ scope: TokenScope) -> GrantDecision {
        var decision = GrantDecision()
        for grant in grants[caller.name] ?? [] {
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
        guard decision.grant == nil else { return }
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
