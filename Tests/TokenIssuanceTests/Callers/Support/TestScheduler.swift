import ExpiringCache
import Synchronization

/// Runs what was scheduled when the test says that the time has come.
final class TestScheduler: Sendable {
    private struct State {
        var actions: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    private let state = Mutex(State())
    private let (scheduled, continuation) = AsyncStream<Void>.makeStream()

    var cacheScheduler: CacheScheduler {
        CacheScheduler { _, action in
            let id = self.state.withLock { state in
                state.next += 1
                state.actions[state.next] = action
                return state.next
            }
            self.continuation.yield()
            return { self.state.withLock { $0.actions[id] = nil } }
        }
    }

    /// Lets the time pass for all that is scheduled, once something is.
    func fire() async {
        for await _ in scheduled {
            let due = state.withLock { state in
                defer { state.actions = [:] }
                return Array(state.actions.values)
            }
            guard due.isEmpty else { return due.forEach { $0() } }
        }
    }
}
