import ExpiringCache
import FleetToken
import Synchronization

/// A clock that stands still until it is told otherwise.
final class TestClock: Sendable {
    private let seconds = Mutex<Int64>(1_800_000_000)

    var now: NumericDate { NumericDate(seconds: seconds.withLock { $0 }) }

    /// The same time, as the cache wants it.
    var cacheClock: CacheClock {
        CacheClock(
            continuous: { self.now.seconds * 1_000_000_000 },
            wall: { self.now.seconds * 1_000_000_000 }
        )
    }

    func advance(by delta: Int64) {
        seconds.withLock { $0 += delta }
    }
}

/// Runs what was scheduled when the test says that the time has come.
final class TestScheduler: Sendable {
    private let actions = Mutex<[Int: @Sendable () -> Void]>([:])

    var cacheScheduler: CacheScheduler {
        CacheScheduler { _, action in
            let id = self.actions.withLock { actions in
                let id = (actions.keys.max() ?? 0) + 1
                actions[id] = action
                return id
            }
            return { self.actions.withLock { $0[id] = nil } }
        }
    }

    /// Lets all time-outs pass that are running now.
    func fire() {
        let due = self.actions.withLock { actions in
            defer { actions = [:] }
            return actions.values.map { $0 }
        }
        for action in due { action() }
    }
}
