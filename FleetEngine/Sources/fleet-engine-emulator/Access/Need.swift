/// What a request needs of a token: permissions of the role, and one of some claims.
struct Need: Sendable {
    /// A claim that grants access to a resource.
    enum Claim: Sendable {
        /// The claim with this ID, or `*`.
        case id(ScopeClaim, String)
        /// The claim with all these IDs, or `*`.
        case ids(ScopeClaim, [String])
        /// The claim with any value.
        case any(ScopeClaim)
        /// The claim with `*`.
        case every(ScopeClaim)
    }

    /// All are needed.
    let permissions: Set<Permission>
    /// One is enough.
    let claims: [Claim]
}

extension Principal {
    /// Checks that role and claims both permit a request.
    func require(_ need: Need) throws(EngineError) {
        let missing = need.permissions.subtracting(role.permissions)
        if let missing = missing.min(by: { $0.rawValue < $1.rawValue }) {
            throw EngineError(
                .roleForbids,
                "Permission 'fleetengine.\(missing.rawValue)' denied: the service account has the role \(role.name)."
            )
        }
        guard !role.ignoresClaims, !need.claims.contains(where: satisfies) else { return }
        let names = need.claims.map(\.name.rawValue).joined(separator: " or ")
        throw EngineError(.claimMismatch, "The requested resource does not match the token's claim \(names).")
    }

    private func satisfies(_ claim: Need.Claim) -> Bool {
        guard let value = claims[claim.name] else { return false }
        return switch claim {
        case .id(_, let id): value.contains(id)
        case .ids(_, let ids): ids.allSatisfy(value.contains)
        case .any: true
        case .every: value == .every
        }
    }
}

extension Need.Claim {
    fileprivate var name: ScopeClaim {
        switch self {
        case .id(let name, _), .ids(let name, _), .any(let name), .every(let name): name
        }
    }
}
