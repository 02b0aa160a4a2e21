import Synchronization

/// The life cycle of the service: serving or draining.
package final class Lifecycle: Sendable {
    private let draining = Atomic<Bool>(false)

    package init() {}

    /// Whether the service is draining: it still serves requests, but expects no new callers.
    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Starts draining.
    package func drain() {
        draining.store(true, ordering: .relaxed)
    }
}
