@testable import ExpiringCache

/// Time that stands still until a test moves it, with the timers that go by it.
final class TestTime: Sendable {
    private struct Timer: Sendable {
        let id: Int
        let due: Int64
        let action: @Sendable () -> Void
    }

    private struct State: Sendable {
        var continuous: Int64 = 1_000_000_000_000
        var wall: Int64 = 1_800_000_000_000_000_000
        var timers: [Timer] = []
        var lastID = 0

        mutating func move(to moment: Int64) {
            wall += moment - continuous
            continuous = moment
        }
    }

    private let state = Lock(State())

    var clock: CacheClock {
        CacheClock(
            continuous: { self.state.withLock { $0.continuous } },
            wall: { self.state.withLock { $0.wall } }
        )
    }

    var scheduler: CacheScheduler {
        CacheScheduler { delay, action in
            let id = self.state.withLock { state in
                state.lastID += 1
                let due = state.continuous + Int64(nanosecondsIn: delay)
                state.timers.append(Timer(id: state.lastID, due: due, action: action))
                return state.lastID
            }
            return { self.state.withLock { state in state.timers.removeAll { $0.id == id } } }
        }
    }

    var pendingTimers: Int { state.withLock { $0.timers.count } }

    /// Lets time pass on both clocks, and runs the timers that become due, each at its moment.
    func advance(by seconds: Seconds) {
        let end = state.withLock { $0.continuous } + Int64(nanosecondsIn: seconds)
        while let timer = nextTimer(until: end) {
            timer.action()
        }
        state.withLock { $0.move(to: end) }
    }

    /// Lets time pass while the process is stopped: timers become due, and run only when time moves again.
    func stop(for seconds: Seconds) {
        state.withLock { $0.move(to: $0.continuous + Int64(nanosecondsIn: seconds)) }
    }

    /// Sets the wall clock forward, or back; the continuous clock doesn't notice.
    func setWallClock(forwardBy seconds: Seconds) {
        state.withLock { $0.wall += Int64(seconds * 1e9) }
    }

    private func nextTimer(until end: Int64) -> Timer? {
        state.withLock { state -> Timer? in
            guard let timer = state.timers.min(by: { ($0.due, $0.id) < ($1.due, $1.id) }), timer.due <= end else {
                return nil
            }
            state.timers.removeAll { $0.id == timer.id }
            state.move(to: max(timer.due, state.continuous))
            return timer
        }
    }
}
