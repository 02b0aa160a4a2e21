import Synchronization

/// Where the service is in its life.
package final class Lifecycle: Sendable {
    private let draining = Atomic<Bool>(false)

    /// Creates the state of a service that is not draining.
    package init() {}

    /// Whether the service is draining: it still serves requests, but expects no new callers.
    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Starts draining.
    package func drain() {
        draining.store(true, ordering: .relaxed)
    }
}
