package import ServiceSupport
import Synchronization
package import Telemetry
package import TokenMinting

/// Lets a limited number of operations run at once, such as calls of a remote signer, while others wait in an
/// ``AdmissionQueue``.
package final class Admission: Sendable {
    private let limits: AdmissionLimits
    private let clock: ServiceClock
    private let delays: Histogram?
    private let ids = Atomic<Int64>(0)
    private let state: Mutex<AdmissionQueue<UnsafeContinuation<Void, any Error>>>

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
        state = Mutex(
            AdmissionQueue(parallel: parallel, interval: interval, sharesPlaces: sharesPlaces, now: clock.monotonic)
        )
    }

    /// The number of operations that wait.
    var waiting: Int { state.withLock { $0.count } }

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

    private func add(_ continuation: UnsafeContinuation<Void, any Error>, id: Int64, flow: Flow) {
        let now = clock.monotonic
        let refused = state.withLock { queue in
            queue.add(continuation, id: id, of: flow, within: limits, now: now, random: clock.random())
        }
        refused.map { $0.element.resume(throwing: $0.refusal) }
        begin(now)
    }

    private func leave(_ flow: Flow) {
        let now = clock.monotonic
        state.withLock { $0.finish(flow.caller) }
        begin(now)
    }

    /// Starts all operations for which a slot is free.
    private func begin(_ now: Int64) {
        while let taken = state.withLock({ $0.take(now: now) }) {
            delays?.record(.nanoseconds(taken.delay))
            taken.element.resume()
        }
    }

    private func cancel(_ id: Int64) {
        let now = clock.monotonic
        state.withLock { $0.remove(id, now: now) }?.resume(throwing: CancellationError())
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
