import FleetToken
import StrictCoding

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
