import FleetToken
import StrictCoding

extension GrantConfiguration {
    /// Whether it may need a webhook.
    var needsWebhook: Bool {
        ids.webhook != nil || tasks?.webhook != nil
    }

    func verdict(on request: GrantRequest) -> GrantDecision.Verdict {
        do {
            try checkCaller(request)
            try checkPrivilege(request)
            return try verdict(on: request.resources, of: request)
        } catch {
            return .denied(error)
        }
    }

    private func checkCaller(_ request: GrantRequest) throws(DenialReason) {
        guard callers.contains(where: { $0.hasSameBytes(as: request.caller.name) }) else { throw .caller }
        guard kinds.contains(request.kind) else { throw .kind }
        for condition in conditions where !condition.isMet(by: request.caller.claims) {
            throw .condition(path: condition.path)
        }
    }

    /// Checks the privilege, which a batch of tasks requires too: the signing account has access to everything,
    /// independent of the claims.
    private func checkPrivilege(_ request: GrantRequest) throws(DenialReason) {
        guard request.kind.isPrivileged else { return }
        guard request.isKindPrivileged else { throw .kindIsNotPrivileged }
        guard isPrivileged else { throw .grantIsNotPrivileged }
        guard !request.caller.isApp, request.caller.method != .anonymous else { throw .callerIsNotTrusted }
    }

    private func verdict(
        on resources: GrantRequest.Resources,
        of request: GrantRequest
    ) throws(DenialReason) -> GrantDecision.Verdict {
        var webhooks: [String] = []
        switch resources {
        case .everything:
            guard case .any = ids else { throw .everything }
        case .named(let id, let others, let task):
            try ids.check(id, others, of: request)
            if let webhook = ids.webhook { webhooks.append(webhook) }
            if let task {
                guard let rule = tasks else { throw .task }
                try rule.check(task, of: request)
                if let webhook = rule.webhook, !webhooks.contains(webhook) { webhooks.append(webhook) }
            }
        }
        return webhooks.isEmpty ? .allowed : .needsWebhook(webhooks)
    }
}

extension IDRule {
    /// The webhook that decides.
    fileprivate var webhook: String? {
        if case .webhook(let name) = self { name } else { nil }
    }

    /// Checks that the rule allows all IDs, except for webhooks.
    fileprivate func check(
        _ id: ResourceID,
        _ others: ArraySlice<ResourceID> = [],
        of request: GrantRequest
    ) throws(DenialReason) {
        switch self {
        case .claim(let path):
            guard let granted = request.caller.claims.ids(at: path, alphabet: request.alphabet) else {
                throw .claim(path: path)
            }
            try Self.check(id, others: others) { granted.contains($0) }
        case .list(let granted): try Self.check(id, others: others) { granted.contains($0) }
        case .patterns(let patterns):
            try Self.check(id, others: others) { id in patterns.contains { $0.matches(id) } }
        case .any, .webhook: break
        }
    }

    private static func check(
        _ id: ResourceID,
        others: ArraySlice<ResourceID>,
        isGranted: (ResourceID) -> Bool
    ) throws(DenialReason) {
        guard isGranted(id) else { throw .id(id) }
        for id in others where !isGranted(id) { throw .id(id) }
    }
}
