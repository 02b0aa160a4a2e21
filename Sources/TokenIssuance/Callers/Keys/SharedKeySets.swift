import Synchronization

/// The keys of issuers on the network, which callers with one issuer share and which outlive a reload.
package final class SharedKeySets: Sendable {
    private let fetching: KeySetFetching
    private let keys = Mutex<[KeySetPlan: IssuerKeys]>([:])

    /// Creates an empty collection.
    package init(_ fetching: KeySetFetching) {
        self.fetching = fetching
    }

    /// Returns the keys of a plan.
    func keys(of plan: KeySetPlan) -> IssuerKeys {
        keys.withLock { keys in
            if let known = keys[plan] { return known }
            let new = IssuerKeys(plan: plan, fetching: fetching)
            keys[plan] = new
            return new
        }
    }
}
