package import FleetToken
package import Logging
import ServiceSupport

/// Decides whether a caller may have a token.
package protocol Authorizer: AnyObject, Sendable {
    /// Returns the name of the grant that lets the caller have the token.
    ///
    /// - Throws: ``TokenError`` with a 403 reason when none does, or 503 when it cannot be found out.
    func authorize(_ caller: Caller, for scope: TokenScope, requestID: String) async throws(TokenError) -> String
}

/// Grants everything: for development, whose tokens Google rejects.
package final class DevelopmentAuthorizer: Authorizer {
    package init() {}

    package func authorize(_ caller: Caller, for scope: TokenScope, requestID: String) -> String { "development" }
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
    private let webhooks: [String: AuthorizationWebhook.Decision]
    private let logger: Logger

    /// Creates an authorizer, with the webhooks that grants use by their names.
    package init(
        grants: [GrantConfiguration],
        webhooks: [String: AuthorizationWebhook.Decision],
        logger: Logger
    ) {
        self.grants = grants.filter { !$0.needsWebhook } + grants.filter(\.needsWebhook)
        index = GrantIndex(self.grants)
        self.webhooks = webhooks
        self.logger = logger
    }

    package func authorize(_ caller: Caller, for scope: TokenScope, requestID: String) async throws(TokenError)
        -> String
    {
        for candidate in index.candidates(for: scope, of: caller.name) {
            let grant = grants[candidate]
            if grant.verdict(for: caller, scope) == .allowed { return grant.name }
        }
        // All grants say why they refuse, for the log and for the reason that the caller gets.
        let decision = await decide(caller, scope, requestID: requestID)
        guard let grant = decision.grant else {
            var metadata: Logger.Metadata = ["decision": "\(decision)"]
            metadata[.requestID] = "\(requestID)"
            metadata[.caller] = "\(caller.name)"
            logger.info("No grant allows the request.", metadata: metadata)
            throw decision.denial
        }
        return grant
    }

    /// Returns the decision without calling webhooks: if it depends on a webhook, it names the webhook.
    package func decideWithoutWebhooks(_ caller: Caller, _ scope: TokenScope) -> GrantDecision {
        var decision = GrantDecision()
        for grant in grants {
            let verdict = grant.verdict(for: caller, scope)
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
            let result = await webhooks[name]?(caller, scope, requestID) ?? .noResponse("it is not configured")
            guard result != .allowed else { continue }
            // Overload is counted, and would fill the log.
            if result != .denied, result != .overloaded {
                var metadata: Logger.Metadata = ["webhook": "\(name)", "result": "\(result)"]
                metadata[.requestID] = "\(requestID)"
                logger.warning("A webhook returned no decision.", metadata: metadata)
            }
            return .denied(.webhook(name: name, result))
        }
        return .allowed
    }
}

/// Finds the grants that can allow a request, so that a request costs the same with 10 grants as with 10,000.
///
/// It only leaves out grants that would refuse: those of other callers and kinds, and lists without the ID. Each grant that
/// it finds still decides.
struct GrantIndex: Sendable {
    private struct Key: Hashable {
        let caller: String
        let kind: TokenKind
    }

    private struct Group {
        /// The grants with a list of IDs, by each of these.
        var byID: [ResourceID: [Int]] = [:]
        /// All others.
        var others: [Int] = []

        mutating func add(_ rule: IDRule, _ index: Int) {
            guard case .list(let ids) = rule else {
                others.append(index)
                return
            }
            for id in Set(ids) { byID[id, default: []].append(index) }
        }
    }

    private var groups: [Key: Group] = [:]

    init(_ grants: [GrantConfiguration]) {
        for (index, grant) in grants.enumerated() {
            for caller in Set(grant.callers) {
                for kind in Set(grant.kinds) {
                    groups[Key(caller: caller, kind: kind), default: Group()].add(grant.ids, index)
                }
            }
        }
    }

    /// The indices of the grants that can allow a request, in ascending order.
    func candidates(for scope: TokenScope, of caller: String) -> [Int] {
        guard let group = groups[Key(caller: caller, kind: scope.kind)] else { return [] }
        let id: ResourceID? =
            switch scope.resources {
            case .everything: nil
            case .one(let id), .oneWithTask(let id, _): id
            // A list has to have all IDs, so one of them finds it.
            case .batch(let tasks): tasks.first
            }
        // No list allows everything at once.
        guard let id, let listed = group.byID[id] else { return group.others }
        return group.others.isEmpty ? listed : (listed + group.others).sorted()
    }
}
