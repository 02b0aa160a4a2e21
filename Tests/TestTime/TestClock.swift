package import Timing

/// A clock that moves only when a test advances it, with the timeouts and sleepers that go by it, and a fixed draw.
///
/// ```swift
/// let clock = TestClock()
/// async let answer = ask(clock.service)
/// await clock.waitForSleepers(1)
/// clock.advance(by: 5)
/// ```
///
/// Tests of the service pass its `ServiceClock`, those of the client a `AgeClock` and a `Scheduler`. A timeout is what a
/// `Scheduler` runs; a sleeper is a task that waits. Both end in the order of their times, before ``advance(by:)`` returns;
/// tasks continue asynchronously, so wait for their results.
package final class TestClock: Sendable {
    private enum Work: Sendable {
        case timeout(@Sendable () -> Void)
        case sleeper(CheckedContinuation<Void, any Error>)

        var isSleeper: Bool { if case .sleeper = self { true } else { false } }
    }

    private struct Observer: Sendable {
        let count: Int
        let ofSleepers: Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        static let start: Int64 = 1_000_000_000_000

        var continuous = start
        var wall: Int64
        var pending: [Int: (due: Int64, work: Work)] = [:]
        var lastID = 0
        var sleeps: [Seconds] = []
        var observers: [Observer] = []

        func count(ofSleepers: Bool) -> Int { pending.values.count { $0.work.isSleeper == ofSleepers } }

        mutating func newID() -> Int {
            lastID += 1
            return lastID
        }

        mutating func move(to moment: Int64) {
            wall += max(0, moment - continuous)
            continuous = max(continuous, moment)
        }

        /// Moves to what is due next by a time, and removes it.
        ///
        /// Of the sleepers only those up to an ID count: others may begin to sleep at any moment of an advance, or after it.
        mutating func takeNext(by end: Int64, sleepersUpTo last: Int) -> Work? {
            let next = pending.filter { $0.key <= last || !$0.value.work.isSleeper }
                .min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            guard let next, next.value.due <= end else { return nil }
            move(to: next.value.due)
            return pending.removeValue(forKey: next.key)?.work
        }

        /// Adds work, and removes and returns those who waited for it.
        mutating func add(_ work: Work, id: Int, after delay: Seconds) -> [Observer] {
            pending[id] = (continuous + Int64(nanosecondsIn: delay), work)
            let (sleepers, timeouts) = (count(ofSleepers: true), count(ofSleepers: false))
            let isMet = { (observer: Observer) in observer.count <= (observer.ofSleepers ? sleepers : timeouts) }
            defer { observers.removeAll(where: isMet) }
            return observers.filter(isMet)
        }
    }

    private let state: Lock<State>
    private let skipped: Seconds
    /// The number that is drawn whenever one is.
    package let random: Double

    /// Creates a clock that is stopped.
    ///
    /// - Parameters:
    ///   - seconds: The time on the wall clock, in seconds since 1970.
    ///   - random: The number that is drawn whenever one is.
    ///   - skipped: Shorter sleeps end immediately, and advance the clock; for tests of retries.
    package init(at seconds: Double = 1_800_000_000, random: Double = 0.5, skippingSleepsUnder skipped: Seconds = 0) {
        state = Lock(State(wall: Int64(seconds) * 1_000_000_000 + Int64((seconds - seconds.rounded(.down)) * 1e9)))
        self.random = random
        self.skipped = skipped
    }

    // MARK: What is tested with it

    /// Both clocks.
    package var cache: AgeClock {
        AgeClock(
            continuous: { self.state.withLock { $0.continuous } },
            wall: { self.state.withLock { $0.wall } }
        )
    }

    /// Runs timeouts on this clock.
    package var scheduler: Scheduler {
        Scheduler { delay, action in
            let (id, met) = self.state.withLock { state in
                let id = state.newID()
                return (id, state.add(.timeout(action), id: id, after: delay))
            }
            for observer in met { observer.continuation.resume() }
            return { _ = self.state.withLock { $0.pending.removeValue(forKey: id) } }
        }
    }

    /// Waits until a number of seconds have passed on this clock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func sleep(for seconds: Seconds) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.sleeps.append(seconds)
            return state.newID()
        }
        guard seconds >= skipped else { return advance(by: seconds) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let met = state.withLock { $0.add(.sleeper(continuation), id: id, after: seconds) }
                for observer in met { observer.continuation.resume() }
                // The handler may have found nothing, because it was too early.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        guard case .sleeper(let sleeper)? = state.withLock({ $0.pending.removeValue(forKey: id)?.work }) else { return }
        sleeper.resume(throwing: CancellationError())
    }

    // MARK: What tests do

    /// Lets seconds pass on both clocks; timeouts and sleeps end when they are due, one after the other.
    ///
    /// A task that begins to sleep meanwhile sleeps until a later advance.
    package func advance(by seconds: Seconds) {
        let (end, last) = state.withLock { ($0.continuous + Int64(nanosecondsIn: seconds), $0.lastID) }
        while let work = state.withLock({ $0.takeNext(by: end, sleepersUpTo: last) }) { run(work) }
        state.withLock { $0.move(to: end) }
    }

    /// Lets seconds pass while the process is stopped: what becomes due ends when the clock is advanced next.
    package func stop(for seconds: Seconds) {
        state.withLock { $0.move(to: $0.continuous + Int64(nanosecondsIn: seconds)) }
    }

    /// Sets the wall clock forward, or back; no time passes.
    package func setWallClock(by seconds: Seconds) {
        state.withLock { $0.wall += Int64(seconds * 1e6) * 1_000 }
    }

    /// Advances to what is due next.
    ///
    /// - Returns: The seconds that have passed.
    package func advanceToNext() -> Seconds {
        let start = state.withLock { $0.continuous }
        if let work = state.withLock({ $0.takeNext(by: .max, sleepersUpTo: .max) }) { run(work) }
        return Double(state.withLock { $0.continuous } - start) / 1e9
    }

    private func run(_ work: Work) {
        switch work {
        case .timeout(let action): action()
        case .sleeper(let sleeper): sleeper.resume()
        }
    }

    /// Waits until a number of tasks sleep.
    package func waitForSleepers(_ count: Int = 1) async { await wait(for: count, ofSleepers: true) }

    /// Waits until a number of timeouts run.
    package func waitForTimeouts(_ count: Int = 1) async { await wait(for: count, ofSleepers: false) }

    private func wait(for count: Int, ofSleepers: Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                guard state.count(ofSleepers: ofSleepers) < count else { return true }
                state.observers.append(Observer(count: count, ofSleepers: ofSleepers, continuation: continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// The seconds that have passed.
    package var elapsed: Seconds { Double(state.withLock { $0.continuous } - State.start) / 1e9 }
    /// How many timeouts run.
    package var timeouts: Int { state.withLock { $0.count(ofSleepers: false) } }
    /// For how long tasks slept, or sleep, each in seconds, in order.
    package var sleeps: [Seconds] { state.withLock { $0.sleeps } }
}
