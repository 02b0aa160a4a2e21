import Synchronization

/// Where the service is in its life.
final class Lifecycle: Sendable {
    private let draining = Atomic<Bool>(false)

    /// Whether the service is about to end: it answers still, and wants no new callers.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Says so from now on.
    func drain() {
        draining.store(true, ordering: .relaxed)
    }
}
