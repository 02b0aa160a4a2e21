import Synchronization

/// How far the service is between its start and its end.
package final class Lifecycle: Sendable {
    private let reachedIssuers = Atomic<Bool>(false)
    private let draining = Atomic<Bool>(false)

    package init() {}

    /// Whether all issuers' keys have been there at one time since the start.
    ///
    /// Until then this replica must not replace one that has them. Afterwards an unavailable issuer, or a new one in the
    /// configuration, affects only its own callers.
    var hasReachedIssuers: Bool { reachedIssuers.load(ordering: .relaxed) }

    /// Whether the service is draining: it still serves requests, but expects no new callers.
    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    func reachedAllIssuers() {
        reachedIssuers.store(true, ordering: .relaxed)
    }

    /// Starts draining.
    package func drain() {
        draining.store(true, ordering: .relaxed)
    }
}
