/// Runs timeouts, and keeps nothing of cancelled ones.
///
/// A sleeping task can be cancelled early, but the runtime's timer behind it stays until its time, with its memory. So
/// each timeout is an entry in our own queue, and a task sleeps only for the earliest.
final class Deadlines: Sendable {
    private struct State: Sendable {
        var queue = DeadlineQueue()
        /// The wake-up times of the sleeping tasks.
        var sleepers: [Int64] = []

        /// Returns until when a new task must sleep for the earliest action; nil if none is needed.
        mutating func nextSleeper(at now: Int64) -> Int64? {
            guard let next = queue.next else { return nil }
            // A task that should have woken may be late by the whole time that the system slept: don't rely on it.
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

    /// The number of running timeouts, and the number for which memory is held.
    var size: (running: Int, held: Int) { state.withLock { ($0.queue.count, $0.queue.footprint) } }

    /// Runs an action after a delay in seconds.
    ///
    /// - Returns: A function that cancels it.
    func schedule(_ delay: Seconds, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let now = now()
        let due = now &+ Int64(nanosecondsIn: delay)
        let (id, sleeper) = state.withLock { state in
            (state.queue.add(due: due, action), state.nextSleeper(at: now))
        }
        if let sleeper { sleep(until: sleeper, from: now) }
        // The action's captures are released outside the lock: that may run foreign code.
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
