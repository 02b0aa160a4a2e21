/// What a request requires of a token: permissions of the role, and one of some claims.
struct Requirement: Sendable {
    /// A claim that grants access to a resource.
    enum Claim: Sendable {
        /// The claim with this ID, or `*`.
        case id(ScopeClaim, String)
        /// The claim with all these IDs, or `*`.
        case ids(ScopeClaim, [String])
        /// The claim with any value.
        case anyValue(ScopeClaim)
        /// The claim with `*`.
        case wildcard(ScopeClaim)
    }

    /// All are required.
    let permissions: Set<Permission>
    /// One is enough.
    let claims: [Claim]
}

extension Principal {
    /// Checks that role and claims both permit a request.
    func satisfy(_ requirement: Requirement) throws(EngineError) {
        let missing = requirement.permissions.subtracting(role.permissions)
        if let missing = missing.min(by: { $0.rawValue < $1.rawValue }) {
            throw EngineError(
                .roleForbids,
                "Permission 'fleetengine.\(missing.rawValue)' denied: the service account has the role \(role.name)."
            )
        }
        guard !role.ignoresClaims, !requirement.claims.contains(where: has) else { return }
        let names = requirement.claims.map(\.name.rawValue).joined(separator: " or ")
        throw EngineError(.claimMismatch, "The requested resource does not match the token's claim \(names).")
    }

    private func has(_ claim: Requirement.Claim) -> Bool {
        guard let value = claims[claim.name] else { return false }
        return switch claim {
        case .id(_, let id): value.contains(id)
        case .ids(_, let ids): ids.allSatisfy(value.contains)
        case .anyValue: true
        case .wildcard: value == .wildcard
        }
    }
}

extension Requirement.Claim {
    fileprivate var name: ScopeClaim {
        switch self {
        case .id(let name, _), .ids(let name, _), .anyValue(let name), .wildcard(let name): name
        }
    }
}
