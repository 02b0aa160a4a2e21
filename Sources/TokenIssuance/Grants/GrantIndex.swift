import FleetToken

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
        /// All of these.
        var lists: [Int] = []
        /// The grants with another rule.
        var others: [Int] = []

        mutating func add(_ rule: IDRule, _ index: Int) {
            guard case .list(let ids) = rule else {
                others.append(index)
                return
            }
            lists.append(index)
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

    /// The indices of a caller's grants for a kind that list IDs, in ascending order.
    func lists(of caller: String, for kind: TokenKind) -> [Int] {
        groups[Key(caller: caller, kind: kind)]?.lists ?? []
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
