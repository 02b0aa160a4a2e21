import Synchronization
import TestTools

/// A clock that moves only when a test advances it, with the tasks that sleep by it, and a fixed draw.
///
/// ```swift
/// let clock = TestClock()
/// async let answer = ask(clock.service)
/// try await clock.waitForSleepers(1)
/// clock.advance(by: 5)
/// ```
///
/// `ManualClock` of TokenProviderTesting is for the tests of apps, in seconds. This clock has nanoseconds, as the service's, keeps a
/// record of sleeps, and can skip them.
///
/// Sleeps end in the order of their times, before ``advance(by:)`` returns; tasks continue asynchronously, so wait for their results.
package final class TestClock: Sendable {
    private typealias Sleeper = CheckedContinuation<Void, any Error>

    private struct State: Sendable {
        var continuous: Int64 = 1_000_000_000_000
        var wall: Int64
        var pending: [Int: (due: Int64, sleeper: Sleeper)] = [:]
        var lastID = 0
        var sleeps: [Double] = []

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
        /// Only sleepers up to an ID count: others may begin to sleep at any moment of an advance, or after it.
        mutating func takeNext(by end: Int64, upTo last: Int) -> Sleeper? {
            let next = pending.filter { $0.key <= last }
                .min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            guard let next, next.value.due <= end else { return nil }
            move(to: next.value.due)
            return pending.removeValue(forKey: next.key)?.sleeper
        }

        mutating func add(_ sleeper: Sleeper, id: Int, after delay: Double) {
            pending[id] = (continuous + nanoseconds(in: delay), sleeper)
        }
    }

    private let state: Mutex<State>
    private let skipped: Double
    /// The number that is drawn whenever one is.
    package let random: Double

    /// Creates a clock that is stopped.
    ///
    /// - Parameters:
    ///   - seconds: The time on the wall clock, in seconds since 1970.
    ///   - random: The number that is drawn whenever one is.
    ///   - skipped: Shorter sleeps end immediately, and advance the clock; for tests of retries.
    package init(at seconds: Double = 1_800_000_000, random: Double = 0.5, skippingSleepsUnder skipped: Double = 0) {
        state = Mutex(State(wall: Int64(seconds) * 1_000_000_000 + Int64((seconds - seconds.rounded(.down)) * 1e9)))
        self.random = random
        self.skipped = skipped
    }

    // MARK: What is tested with it

    var continuous: Int64 { state.withLock { $0.continuous } }
    var wall: Int64 { state.withLock { $0.wall } }

    /// Waits until a number of seconds have passed on this clock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func sleep(for seconds: Double) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.sleeps.append(seconds)
            return state.newID()
        }
        guard seconds >= skipped else { return advance(by: seconds) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.add(continuation, id: id, after: seconds) }
                // The handler may have found nothing, because it was too early.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        state.withLock { $0.pending.removeValue(forKey: id)?.sleeper }?.resume(throwing: CancellationError())
    }

    // MARK: What tests do

    /// Lets seconds pass on both clocks; sleeps end when they are due, one after the other.
    ///
    /// A task that begins to sleep meanwhile sleeps until a later advance.
    package func advance(by seconds: Double) {
        let (end, last) = state.withLock { ($0.continuous + nanoseconds(in: seconds), $0.lastID) }
        while let sleeper = state.withLock({ $0.takeNext(by: end, upTo: last) }) { sleeper.resume() }
        state.withLock { $0.move(to: end) }
    }

    /// Lets seconds pass while the process is stopped: what becomes due ends when the clock is advanced next.
    package func stop(for seconds: Double) {
        state.withLock { $0.move(to: $0.continuous + nanoseconds(in: seconds)) }
    }

    /// Sets the wall clock forward, or back; no time passes.
    package func setWallClock(by seconds: Double) {
        state.withLock { $0.wall += Int64(seconds * 1e6) * 1_000 }
    }

    /// Waits until a number of tasks sleep.
    package func waitForSleepers(_ count: Int = 1) async throws {
        try await until { state.withLock { $0.pending.count >= count } }
    }

    /// For how long tasks slept, or sleep, each in seconds, in order.
    package var sleeps: [Double] { state.withLock { $0.sleeps } }
}

/// Returns a time span in nanoseconds; a negative one is none.
private func nanoseconds(in seconds: Double) -> Int64 { Int64(max(0, min(seconds, 1e9)) * 1e9) }
