package import ServiceSupport
import Synchronization
package import Telemetry
package import TokenMinting

/// Lets a limited number of operations run at once, such as calls of a remote signer, while others wait in an
/// ``AdmissionQueue``.
package final class Admission: Sendable {
    private typealias Waiter = UnsafeContinuation<Void, any Error>

    private struct State {
        var queue: AdmissionQueue
        /// Those that wait.
        var waiters: [AdmissionQueue.ID: Waiter] = [:]

        mutating func take(_ now: Int64) -> (waiter: Waiter?, delay: Int64)? {
            queue.take(now: now).map { (waiters.removeValue(forKey: $0.id), $0.delay) }
        }
    }

    private let limits: AdmissionLimits
    private let clock: ServiceClock
    private let delays: Histogram?
    private let ids = Atomic<Int64>(0)
    private let state: Mutex<State>

    /// Creates an admission.
    ///
    /// - Parameters:
    ///   - limits: What may wait.
    ///   - parallel: The maximum number of operations that run at once.
    ///   - duration: The assumed duration of an operation until it is measured, in nanoseconds.
    ///   - sharesPlaces: Whether a caller may hold only as many of the slots as are free.
    ///   - delays: The time in the queue; nil for none.
    ///   - clock: The time, and the chance that spreads retries.
    package init(
        _ limits: AdmissionLimits,
        parallel: Int,
        duration: Int64,
        sharesPlaces: Bool = false,
        delays: Histogram? = nil,
        clock: ServiceClock
    ) {
        self.limits = limits
        self.delays = delays
        self.clock = clock
        let interval = duration / Int64(parallel)
        let now = clock.monotonic
        let queue = AdmissionQueue(parallel: parallel, interval: interval, sharesPlaces: sharesPlaces, now: now)
        state = Mutex(State(queue: queue))
    }

    /// The number of operations that wait.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Runs an operation as soon as it is its turn.
    ///
    /// - Throws: ``AdmissionRefusal`` if it may not wait, `CancellationError` if the task is cancelled while it waits, or
    ///   the operation's error.
    package func run<Result>(for flow: Flow, _ operation: () async throws -> Result) async throws -> Result {
        try await enter(flow)
        defer { leave(flow) }
        return try await operation()
    }

    private func enter(_ flow: Flow) async throws {
        let id = ids.add(1, ordering: .relaxed).newValue
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                add(continuation, id: id, flow: flow)
                // The handler may have found nothing, because it was too early.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func add(_ waiter: Waiter, id: AdmissionQueue.ID, flow: Flow) {
        let now = clock.monotonic
        let refused: (waiter: Waiter?, refusal: AdmissionRefusal)? = state.withLock { state in
            state.waiters[id] = waiter
            return state.queue.add(id, of: flow, within: limits, now: now, random: clock.random())
                .map { (state.waiters.removeValue(forKey: $0.id), $0.refusal) }
        }
        refused.map { $0.waiter?.resume(throwing: $0.refusal) }
        begin(now)
    }

    private func leave(_ flow: Flow) {
        let now = clock.monotonic
        state.withLock { $0.queue.finish(flow.caller) }
        begin(now)
    }

    /// Starts all operations for which a slot is free.
    private func begin(_ now: Int64) {
        while let taken = state.withLock({ $0.take(now) }) {
            delays?.record(.nanoseconds(taken.delay))
            taken.waiter?.resume()
        }
    }

    private func cancel(_ id: AdmissionQueue.ID) {
        let now = clock.monotonic
        let waiter = state.withLock { $0.queue.remove(id, now: now) ? $0.waiters.removeValue(forKey: id) : nil }
        waiter?.resume(throwing: CancellationError())
    }
}

/// A signer whose signatures wait for their turn: for those that are made elsewhere.
package struct QueuedSigner: TokenSignerDecorator {
    package let signer: any TokenSigner
    let admission: Admission

    /// Creates a signer whose signatures pass an admission.
    package init(signer: any TokenSigner, admission: Admission) {
        self.signer = signer
        self.admission = admission
    }

    package func sign(payload: [UInt8], for flow: Flow) async throws -> SignedToken {
        try await admission.run(for: flow) { try await signer.sign(payload: payload, for: flow) }
    }
}
