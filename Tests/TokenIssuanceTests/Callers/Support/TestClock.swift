import ExpiringCache
import FleetToken
import Synchronization

/// A clock that stands still until it is told otherwise.
final class TestClock: Sendable {
    private let seconds = Mutex<Int64>(1_800_000_000)

    /// How far the wall clock was set.
    private let shift = Mutex<Int64>(0)

    var now: NumericDate { NumericDate(seconds: seconds.withLock { $0 } + shift.withLock { $0 }) }

    /// The same time, as the cache wants it.
    var cacheClock: CacheClock {
        CacheClock(
            continuous: { self.seconds.withLock { $0 } * 1_000_000_000 },
            wall: { self.now.seconds * 1_000_000_000 }
        )
    }

    func advance(by delta: Int64) {
        seconds.withLock { $0 += delta }
    }

    /// Sets the wall clock, while no time passes.
    func set(by delta: Int64) {
        shift.withLock { $0 += delta }
    }
}
