import FleetToken

extension GrantConfiguration {
    /// Whether it may need a webhook.
    var needsWebhook: Bool { ids.webhook != nil || tasks?.webhook != nil }

    /// Returns whether the grant allows one of its callers to have a scope.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - scope: The scope of the request.
    /// - Returns: The verdict.
    func verdict(for caller: Caller, _ scope: TokenScope) -> GrantDecision.Verdict {
        do {
            try checkCaller(caller, scope.kind)
            return try verdict(on: scope.resources, for: caller)
        } catch {
            return .denied(error)
        }
    }

    private func checkCaller(_ caller: Caller, _ kind: TokenKind) throws(DenialReason) {
        guard kinds.contains(kind) else { throw .kind }
        for condition in conditions where !condition.isMet(by: caller.claims) {
            throw .condition(path: condition.path)
        }
        // A batch of tasks requires it too: Fleet Engine grants its account access to all tasks, independent of the claims.
        guard caller.isAdmin || !kind.isPrivileged else { throw .callerIsNoAdmin }
    }

    /// Each case is written out, so that no list that happens to be empty means everything.
    private func verdict(
        on resources: TokenScope.Resources,
        for caller: Caller
    ) throws(DenialReason) -> GrantDecision.Verdict {
        var webhooks: [String] = []
        switch resources {
        case .everything:
            guard case .any = ids else { throw .everything }
            return .allowed
        case .one(let id): try ids.check(CollectionOfOne(id), of: caller)
        case .batch(let batch): try ids.check(batch, of: caller)
        case .oneWithTask(let id, let task):
            try ids.check(CollectionOfOne(id), of: caller)
            guard let tasks else { throw .task }
            try tasks.check(CollectionOfOne(task), of: caller)
            if let webhook = tasks.webhook { webhooks = [webhook] }
        }
        if let webhook = ids.webhook, !webhooks.contains(webhook) { webhooks.insert(webhook, at: 0) }
        return webhooks.isEmpty ? .allowed : .needsWebhook(webhooks)
    }
}
