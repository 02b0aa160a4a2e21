import FleetToken

extension [ScopeClaim] {
    /// Returns whether the claims give access to the same resources as others; the order of claims and of a batch's
    /// tasks is irrelevant.
    func grantsSameAccess(as other: [ScopeClaim]) -> Bool {
        Set(flatMap(\.opened)) == Set(other.flatMap(\.opened))
    }
}

/// One resource that a claim opens, or all of a sort.
private struct Opened: Hashable {
    let name: ScopeClaim.Name
    /// Nil for all.
    let id: ResourceID?
}

extension ScopeClaim {
    fileprivate var opened: [Opened] {
        switch value {
        case .id(let id): [Opened(name: name, id: id)]
        case .ids(let ids): ids.map { Opened(name: name, id: $0) }
        case .every: [Opened(name: name, id: nil)]
        }
    }
}
