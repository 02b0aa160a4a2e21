import Metrics
package import ServiceSupport
import Synchronization

/// Lets a limited number of operations run at once, such as signatures or calls of a webhook, while callers take turns.
///
/// An operation waits only if it is expected to start within half a second, at the measured duration
/// of the others; otherwise it is refused, and the client is told when to retry.
package final class FairGate: Sendable {
    /// What a gate measures.
    package struct Timers: Sendable {
        /// The time from an operation's arrival to its turn.
        let waits: Timer
        /// The time from its turn to its result: that of a key in this process includes the wait for a thread.
        let successes: Timer
        /// The same time of operations that fail.
        let failures: Timer
    }

    private struct Waiter {
        let arrival: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var queue: CallerQueue
        /// The operations in the queue, by their IDs.
        var waiters: [Int64: Waiter] = [:]
    }

    private let timers: Timers?
    private let clock: ServiceClock
    private let ids = Atomic<Int64>(0)
    private let state: Mutex<State>

    /// Creates a gate.
    ///
    /// - Parameters:
    ///   - slots: The maximum number of operations at once.
    ///   - slotsPerCaller: The maximum number of one caller's operations at once.
    ///   - maximumWaiting: The maximum number of operations that wait.
    ///   - duration: The assumed duration of an operation until it is measured.
    ///   - timers: What is measured; nil for nothing.
    ///   - clock: The time, and the randomness that spreads retries.
    package init(
        slots: Int,
        slotsPerCaller: Int = .max,
        maximumWaiting: Int = 10_000,
        duration: Duration,
        timers: Timers? = nil,
        clock: ServiceClock
    ) {
        let queue = CallerQueue(
            slots: slots,
            slotsPerCaller: slotsPerCaller,
            maximumWaiting: maximumWaiting,
            duration: duration
        )
        state = Mutex(State(queue: queue))
        self.timers = timers
        self.clock = clock
    }

    /// The number of operations that wait.
    var waiting: Int { state.withLock { $0.queue.queuedCount } }

    /// Runs an operation as soon as it is its turn: a caller's, or for nil the service's own, which is never refused.
    ///
    /// - Parameters:
    ///   - caller: The caller whose turn it uses.
    ///   - operation: The operation.
    ///   - isSuccess: Whether a result counts as a success. Quick failures are left out of the mean duration.
    /// - Returns: The operation's result.
    /// - Throws: ``GateRefusal`` if it may not wait, `CancellationError` if the task is cancelled while it waits, or
    ///   the operation's error.
    package func run<Value>(
        for caller: String?,
        _ operation: () async throws -> Value,
        isSuccess: (Value) -> Bool = { _ in true }
    ) async throws -> Value {
        try await enter(caller)
        let start = clock.monotonic
        do {
            let value = try await operation()
            let time = clock.duration(since: start)
            timers?.successes.record(duration: time)
            leave(caller, after: time, isSuccess(value))
            return value
        } catch {
            let time = clock.duration(since: start)
            // A client that has gone is no failure.
            if !(error is CancellationError) { timers?.failures.record(duration: time) }
            leave(caller, after: time, false)
            throw error
        }
    }

    private func enter(_ caller: String?) async throws {
        let id = ids.add(1, ordering: .relaxed).newValue
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(id, Waiter(arrival: clock.monotonic, continuation: continuation), of: caller)
                // The handler may have been called before the operation waited.
                if Task.isCancelled { cancel(id, of: caller) }
            }
        } onCancel: {
            cancel(id, of: caller)
        }
    }

    private func add(_ id: Int64, _ waiter: Waiter, of caller: String?) {
        let verdict = state.withLock { state in
            let verdict = state.queue.add(id, of: caller)
            if case .waits = verdict { state.waiters[id] = waiter }
            return verdict
        }
        switch verdict {
        case .starts: start(waiter)
        case .waits: break
        case .refused(let expectedWait):
            waiter.continuation.resume(throwing: GateRefusal(retryAfter: retryAfter(expectedWait)))
        }
    }

    private func start(_ waiter: Waiter) {
        timers?.waits.record(duration: clock.duration(since: waiter.arrival))
        waiter.continuation.resume()
    }

    private func cancel(_ id: Int64, of caller: String?) {
        let waiter = state.withLock { state in
            state.queue.remove(id, of: caller)
            return state.waiters.removeValue(forKey: id)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    private func leave(_ caller: String?, after time: Duration, _ succeeded: Bool) {
        let next = state.withLock { state in
            state.queue.finish(caller, after: time, succeeded: succeeded)
                .flatMap { state.waiters.removeValue(forKey: $0) }
        }
        if let next { start(next) }
    }

    /// Returns after how many seconds a client should retry: when those that wait have started, with jitter, so that clients
    /// that were refused together do not return together.
    private func retryAfter(_ expectedWait: Duration) -> Int {
        let seconds = min(expectedWait / .seconds(1), 15)
        return max(1, Int((seconds + clock.random() * max(2, seconds)).rounded(.up)))
    }
}
