/// Runs timeouts, and keeps nothing of those that were cancelled.
///
/// A task that sleeps can be woken before its time, but the runtime's timer behind it stays until then, and with it its
/// memory. So each timeout is an entry in a queue of our own, and a task sleeps only for the earliest of them.
final class Deadlines: Sendable {
    private struct State: Sendable {
        var queue = DeadlineQueue()
        /// When the tasks that sleep will wake.
        var sleepers: [Int64] = []

        /// Whether a task must be put to sleep for the earliest action, and until when.
        mutating func nextSleeper(at now: Int64) -> Int64? {
            guard let next = queue.next else { return nil }
            // A sleeper that should have woken may be late by all the time that the system slept: don't count on it.
            guard !sleepers.contains(where: { $0 <= next && $0 >= now }) else { return nil }
            sleepers.append(next)
            return next
        }
    }

    private let state = Lock(State())
    private let now: @Sendable () -> Int64

    init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// How many timeouts run, and for how many memory is held.
    var size: (running: Int, held: Int) { state.withLock { ($0.queue.count, $0.queue.footprint) } }

    /// Runs an action after so many seconds.
    ///
    /// - Returns: How to cancel it.
    func schedule(_ delay: Seconds, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let now = now()
        let due = now &+ Int64(nanosecondsIn: delay)
        let (id, sleeper) = state.withLock { state in
            (state.queue.add(due: due, action), state.nextSleeper(at: now))
        }
        if let sleeper { sleep(until: sleeper, from: now) }
        // What the action holds is freed outside the lock: that may run code that isn't ours.
        return { [self] in _ = state.withLock { $0.queue.remove(id) } }
    }

    private func sleep(until moment: Int64, from now: Int64) {
        Task.detached { [self] in
            // This task is never cancelled.
            try? await Task.sleep(nanoseconds: UInt64(max(0, moment &- now)))
            wake(moment)
        }
    }

    private func wake(_ moment: Int64) {
        let now = now()
        let (actions, sleeper) = state.withLock { state in
            if let index = state.sleepers.firstIndex(of: moment) { state.sleepers.remove(at: index) }
            return (state.queue.takeDue(by: now), state.nextSleeper(at: now))
        }
        if let sleeper { sleep(until: sleeper, from: now) }
        for action in actions { action() }
    }
}
