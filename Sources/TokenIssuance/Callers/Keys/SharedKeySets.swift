import Synchronization

/// The keys of issuers on the network, which callers with one issuer share and which outlive a reload.
///
/// Keys are kept as long as an authenticator uses them.
package final class SharedKeySets: Sendable {
    private struct Entry {
        weak var keys: IssuerKeys?
    }

    private let fetching: KeySetFetching
    private let entries = Mutex<[KeySetPlan: Entry]>([:])

    /// Creates an empty collection.
    package init(_ fetching: KeySetFetching) {
        self.fetching = fetching
    }

    /// Returns the keys of a plan.
    func keys(of plan: KeySetPlan) -> IssuerKeys {
        entries.withLock { entries in
            if let known = entries[plan]?.keys { return known }
            entries = entries.filter { $0.value.keys != nil }
            let new = IssuerKeys(plan: plan, fetching: fetching)
            entries[plan] = Entry(keys: new)
            return new
        }
    }
}
