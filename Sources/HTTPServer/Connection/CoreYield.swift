import Libc
import NIOCore
import NIOPosix
import Synchronization

/// Lets other threads have the core while the service refuses requests.
///
/// In an overload, requests arrive one by one, and each would wake the event loop's thread and interrupt a signature. A
/// thread that yields instead of sleeping is not woken: it goes on when the signing thread yields in turn, and finds
/// several requests then. On a core of its own, the thread goes on immediately.
final class CoreYield: Sendable {
    private static let perThread = ThreadSpecificVariable<CoreYield>()

    // Only its thread uses it.
    private let isScheduled = Atomic(false)
    private let yield: @Sendable () -> Void

    /// Creates the state of a thread.
    init(yield: @escaping @Sendable () -> Void = { sched_yield() }) {
        self.yield = yield
    }

    static var current: CoreYield { perThread.value(orNew: CoreYield()) }

    /// Yields the core after everything that has arrived by now is handled.
    func schedule(on eventLoop: any EventLoop) {
        guard !isScheduled.exchange(true, ordering: .relaxed) else { return }
        eventLoop.execute {
            self.isScheduled.store(false, ordering: .relaxed)
            self.yield()
        }
    }
}
