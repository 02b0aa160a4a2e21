import ExpiringCache
import TokenProvider

/// Time that passes from timer to timer, when a test says so.
final class VirtualTime: Sendable {
    private struct Timer {
        let due: Double
        let action: @Sendable () -> Void
    }

    private struct State {
        var now = 0.0
        var timers: [Int: Timer] = [:]
        var lastID = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    /// The seconds that have passed.
    var now: Double { state.withLock { $0.now } }
    /// How many timers are set.
    var timers: Int { state.withLock { $0.timers.count } }

    func environment(random: Double = 1) -> ProviderEnvironment {
        ProviderEnvironment(
            clock: CacheClock(
                continuous: { [state] in Int64(state.withLock { $0.now } * 1e9) },
                wall: { [state] in 1_795_211_460_000_000_000 + Int64(state.withLock { $0.now } * 1e9) }
            ),
            scheduler: CacheScheduler { [self] in schedule($0, $1) },
            random: { random }
        )
    }

    private func schedule(_ delay: Double, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let (id, met) = state.withLock { state in
            state.lastID += 1
            state.timers[state.lastID] = Timer(due: state.now + delay, action: action)
            let count = state.timers.count
            let met = state.waiters.filter { $0.count <= count }.map(\.continuation)
            state.waiters.removeAll { $0.count <= count }
            return (state.lastID, met)
        }
        for waiter in met { waiter.resume() }
        return { [state] in state.withLock { _ = $0.timers.removeValue(forKey: id) } }
    }

    /// Waits until a number of timers are set.
    func waitForTimers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                guard state.timers.count < count else { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// Waits until a timer is set, lets the time pass until the earliest, and runs it.
    ///
    /// - Returns: The seconds that have passed.
    @discardableResult
    func next() async -> Double {
        await waitForTimers()
        return fire()
    }

    /// Runs the earliest timer.
    func fire() -> Double {
        let (action, passed) = state.withLock { state -> ((@Sendable () -> Void)?, Double) in
            let first = state.timers.min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            guard let (id, timer) = first else { return (nil, 0) }
            state.timers[id] = nil
            let passed = timer.due - state.now
            state.now = timer.due
            return (timer.action, passed)
        }
        action?()
        return passed
    }
}
