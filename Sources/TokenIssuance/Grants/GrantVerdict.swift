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

/// The input of grants: the caller, the requested scope, and related configuration.
struct GrantRequest {
    /// The resources that a grant's rules have to allow.
    enum Resources {
        /// Everything at once.
        case everything
        /// This one, each of the others, and the task that a trusted driver's token names beside the vehicle.
        case named(ResourceID, others: ArraySlice<ResourceID> = [], task: ResourceID? = nil)
    }

    let caller: Caller
    let kind: TokenKind
    let resources: Resources
    /// Whether the configuration marks the kind as privileged.
    let isKindPrivileged: Bool
    /// Which scalars IDs may have.
    let alphabet: ResourceID.Alphabet

    init(caller: Caller, scope: TokenScope, privilegedKinds: Set<TokenKind>, alphabet: ResourceID.Alphabet) {
        self.caller = caller
        self.alphabet = alphabet
        kind = scope.kind
        resources = Resources(scope)
        isKindPrivileged = privilegedKinds.contains(scope.kind)
    }
}

extension GrantRequest.Resources {
    /// Creates the resources of a scope.
    ///
    /// Each case is written out, so that no list that happens to be empty means everything.
    init(_ scope: TokenScope) {
        switch scope.resources {
        case .everything: self = .everything
        case .one(let id): self = .named(id)
        case .oneWithTask(let id, let task): self = .named(id, task: task)
        case .batch(let tasks): self = .named(tasks.first, others: tasks.others)
        }
    }
}

extension JSONObject {
    /// Returns the claim at a path; all names except the last select an object's member.
    func claim(at path: [String]) -> JSONValue? {
        guard let name = path.first, let value = self[name] else { return nil }
        return path.count == 1 ? value : value.objectValue?.claim(at: Array(path.dropFirst()))
    }

    /// Returns the IDs in a claim: one string, or an array of strings.
    ///
    /// - Returns: nil if the claim is missing or has another type, or if one of its strings is not a valid ID. Such a
    ///   string may be a `*` or contain a `/`, whose meaning this service cannot know.
    func ids(at path: [String], alphabet: ResourceID.Alphabet) -> [ResourceID]? {
        guard let value = claim(at: path) else { return nil }
        let values = value.arrayValue ?? [value]
        let ids = values.compactMap { value in
            value.stringValue.flatMap { try? ResourceID($0, alphabet: alphabet) }
        }
        return ids.count == values.count ? ids : nil
    }
}
