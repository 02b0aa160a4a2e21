import ExpiringCache
import Foundation

@testable import TokenProvider

/// Time that passes only when a test says so: both clocks, and the timers that hang on them.
final class TestTime: Sendable {
    private struct Timer: Sendable {
        let due: Int64
        let action: @Sendable () -> Void
    }

    private struct State {
        var continuous: Int64 = 1_000_000_000_000
        var wall: Int64 = 1_795_211_460_000_000_000
        var timers: [Int: Timer] = [:]
        var lastTimer = 0
    }

    private let state = Lock(State())

    /// What a provider takes from the world, with chance that always draws the same.
    func environment(random: Double = 0.5) -> ProviderEnvironment {
        ProviderEnvironment(
            clock: CacheClock(
                continuous: { [state] in state.withLock { $0.continuous } },
                wall: { [state] in state.withLock { $0.wall } }
            ),
            scheduler: CacheScheduler { [state] delay, action in
                let id = state.withLock { state in
                    state.lastTimer += 1
                    state.timers[state.lastTimer] = Timer(due: state.continuous + Int64(delay * 1e9), action: action)
                    return state.lastTimer
                }
                return { state.withLock { _ = $0.timers.removeValue(forKey: id) } }
            },
            random: { random }
        )
    }

    /// What the wall clock shows.
    var now: Date { Date(timeIntervalSince1970: Double(state.withLock { $0.wall }) / 1e9) }

    /// Lets seconds pass, and runs the timers that are due by then.
    func advance(_ seconds: Double) {
        let due = state.withLock { state in
            state.continuous += Int64(seconds * 1e9)
            state.wall += Int64(seconds * 1e9)
            let due = state.timers.filter { $0.value.due <= state.continuous }
            for id in due.keys { state.timers[id] = nil }
            return due.sorted { $0.value.due < $1.value.due }.map(\.value.action)
        }
        for action in due { action() }
    }

    /// Lets seconds pass while the process is stopped: timers that become due run only when time moves again.
    func stop(_ seconds: Double) {
        state.withLock { state in
            state.continuous += Int64(seconds * 1e9)
            state.wall += Int64(seconds * 1e9)
        }
    }

    /// Sets the wall clock forward, or back.
    func setWallClock(by seconds: Double) {
        state.withLock { $0.wall += Int64(seconds * 1e9) }
    }

    /// How many timers are set.
    var timers: Int { state.withLock { $0.timers.count } }
}
