import FleetToken

extension [ScopeClaim] {
    /// Returns whether the claims give access to the same resources as others; the order of claims and of a batch's
    /// tasks is irrelevant.
    func grantsSameAccess(as other: [ScopeClaim]) -> Bool {
        Set(flatMap(\.access)) == Set(other.flatMap(\.access))
    }
}

/// One resource that a claim grants access to, or all of a type.
private struct Access: Hashable {
    let name: ScopeClaim.Name
    /// Nil for all.
    let id: ResourceID?
}

extension ScopeClaim {
    fileprivate var access: [Access] {
        switch value {
        case .id(let id): [Access(name: name, id: id)]
        case .ids(let ids): ids.map { Access(name: name, id: $0) }
        case .every: [Access(name: name, id: nil)]
        }
    }
}
