package import Metrics
package import ServiceSupport
import Synchronization

/// Lets a limited number of operations run at once: signatures, requests to Google's API, or calls of a webhook.
///
/// Callers take turns. An operation waits only if it is expected to start within half a second, at the measured duration
/// of the others; otherwise it is refused, and the client is told when to retry.
package final class Admission: Sendable {
    private struct Waiter {
        let arrival: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let delays: Timer?
    private let clock: ServiceClock
    private let ids = Atomic<Int64>(0)
    private let queue: Mutex<AdmissionQueue<Waiter>>

    /// Creates an admission.
    ///
    /// - Parameters:
    ///   - slots: The maximum number of operations at once.
    ///   - slotsPerCaller: The maximum number of one caller's operations at once; nil for all slots.
    ///   - duration: The assumed duration of an operation until it is measured.
    ///   - maximumWaiting: The maximum number of operations that wait.
    ///   - delays: Records how long operations wait; nil for none.
    ///   - clock: The time, and the randomness that spreads retries.
    package init(
        slots: Int,
        slotsPerCaller: Int? = nil,
        duration: Duration,
        maximumWaiting: Int = 10_000,
        delays: Timer? = nil,
        clock: ServiceClock
    ) {
        let limits = AdmissionQueue<Waiter>.Limits(
            slots: slots,
            slotsPerCaller: slotsPerCaller ?? .max,
            count: maximumWaiting
        )
        queue = Mutex(AdmissionQueue(limits, duration: Int64(duration / .nanoseconds(1))))
        self.delays = delays
        self.clock = clock
    }

    /// The number of operations that wait.
    var waiting: Int { queue.withLock { $0.count } }

    /// Runs an operation as soon as it is its turn: a caller's, or for nil the service's own, which is never refused.
    ///
    /// - Throws: ``AdmissionRefusal`` if it may not wait, `CancellationError` if the task is cancelled while it waits, or
    ///   the operation's error.
    package func run<Value>(for caller: String?, _ operation: () async throws -> Value) async throws -> Value {
        try await enter(caller)
        let start = clock.monotonic
        defer { leave(caller, after: clock.monotonic - start) }
        return try await operation()
    }

    private func enter(_ caller: String?) async throws {
        let id = ids.add(1, ordering: .relaxed).newValue
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(id, Waiter(arrival: clock.monotonic, continuation: continuation), of: caller)
                // The handler may have been called before the operation waited.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func add(_ id: Int64, _ waiter: Waiter, of caller: String?) {
        switch queue.withLock({ $0.add(id, waiter, of: caller) }) {
        case .starts: start(waiter)
        case .waits: break
        case .refused(let cause, let expectedWait):
            let refusal = AdmissionRefusal(cause, retryAfter: retryAfter(expectedWait))
            waiter.continuation.resume(throwing: refusal)
        }
    }

    private func start(_ waiter: Waiter) {
        delays?.record(duration: clock.duration(since: waiter.arrival))
        waiter.continuation.resume()
    }

    private func cancel(_ id: Int64) {
        queue.withLock { $0.remove(id) }?.continuation.resume(throwing: CancellationError())
    }

    private func leave(_ caller: String?, after time: Int64) {
        if let next = queue.withLock({ $0.finish(caller, after: time) }) { start(next) }
    }

    /// Returns after how many seconds a client should retry: when those that wait have started, with jitter, so that clients
    /// that were refused together do not return together.
    private func retryAfter(_ expectedWait: Int64) -> Int {
        let seconds = min(Double(expectedWait) / 1e9, 15)
        return max(1, Int((seconds + clock.random() * max(2, seconds)).rounded(.up)))
    }
}
