import FleetToken

extension GrantConfiguration {
    /// Whether it may need a webhook.
    var needsWebhook: Bool { ids.webhook != nil || tasks?.webhook != nil }

    /// Returns whether the grant allows a caller to have a scope.
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

    /// Returns whether the grant gives a caller the kind, if only for other resources.
    func isFor(_ caller: Caller, _ kind: TokenKind) -> Bool { (try? checkCaller(caller, kind)) != nil }

    private func checkCaller(_ caller: Caller, _ kind: TokenKind) throws(DenialReason) {
        guard callers.contains(where: { $0.hasSameBytes(as: caller.name) }) else { throw .caller }
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

extension IDRule {
    /// The webhook that decides.
    package var webhook: String? {
        if case .webhook(let name) = self { name } else { nil }
    }

    /// Checks that the rule allows all IDs, except for webhooks.
    fileprivate func check(
        _ ids: some Sequence<ResourceID>,
        of caller: Caller
    ) throws(DenialReason) {
        switch self {
        case .claim(let path):
            guard let granted = caller.claims.ids(at: path) else { throw .claim(path: path) }
            try Self.check(ids) { granted.contains($0) }
        case .list(let granted): try Self.check(ids) { granted.contains($0) }
        case .patterns(let patterns): try Self.check(ids) { id in patterns.contains { $0.matches(id) } }
        case .any, .webhook: break
        }
    }

    private static func check(
        _ ids: some Sequence<ResourceID>,
        isGranted: (ResourceID) -> Bool
    ) throws(DenialReason) {
        for id in ids where !isGranted(id) { throw .id(id) }
    }
}

extension JSONObject {
    /// Returns the IDs in a claim: one string, or an array of strings.
    ///
    /// - Returns: nil if the claim is missing or has another type, or if one of its strings is not a valid ID. Such a
    ///   string may be a `*` or contain a `/`, whose meaning this service cannot know.
    func ids(at path: [String]) -> [ResourceID]? {
        guard let value = claim(at: path) else { return nil }
        let values = value.arrayValue ?? [value]
        let ids = values.compactMap { value in
            value.stringValue.flatMap { try? ResourceID($0) }
        }
        return ids.count == values.count ? ids : nil
    }
}
