import Synchronization

/// Where the service is in its life.
package final class Lifecycle: Sendable {
    private let draining = Atomic<Bool>(false)

    /// Creates the state of a service that is not draining.
    package init() {}

    /// Whether the service is about to end: it answers still, and wants no new callers.
    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Says so from now on.
    package func drain() {
        draining.store(true, ordering: .relaxed)
    }
}
