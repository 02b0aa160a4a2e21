import NIOCore
import NIOPosix
package import ServiceSupport
import Synchronization

/// Lets a limited number of operations run at once while others wait in an ``AdmissionQueue``: calls of a remote signer or
/// a webhook, each in its task, or signatures with keys in this process, on threads.
///
/// A signature uses a core for a quarter of a millisecond. On the threads that serve requests it would delay all requests
/// that need none.
package final class Admission: Sendable {
    private typealias Request = AdmissionQueue.Request

    /// Passes a result on.
    private struct Delivery {
        /// The event loop that serves the request; nil for another task.
        let eventLoop: (any EventLoop)?
        let run: @Sendable () -> Void
    }

    private struct State {
        var queue: AdmissionQueue
        /// Results that are not delivered yet.
        var results: [Delivery] = []
        /// The event loops that will pause.
        var pausing: Set<ObjectIdentifier> = []
    }

    /// The number of results that are delivered together while more operations wait.
    private static let groupSize = 4
    /// The time in which an event loop collects requests where some are refused, in nanoseconds.
    private static let collectingTime: Int64 = 3_000_000
    /// How long after a refusal the patient threads sign, in nanoseconds.
    private static let refusingTime: Int64 = 1_000_000_000

    /// The threads that sign, and those of low priority that sign while requests are refused.
    ///
    /// Then other callers get their turn by reading and refusing. With one priority a caller with ten requests a second,
    /// beside one at five times the maximum, waits 150 ms in place of 22 (`Benchmarks/bursts.py`); with the low one always,
    /// 8 % fewer new TLS connections are served.
    private let threads: (usual: Worker, patient: Worker)?
    private let delays: Histogram?
    private let clock: ServiceClock
    private let ids = Atomic<Int64>(0)
    /// When a request was last refused.
    private let refusedAt = Atomic(-refusingTime)
    private let state: Mutex<State>

    /// Creates an admission.
    ///
    /// - Parameters:
    ///   - parallel: The maximum number of operations that run at once.
    ///   - duration: The assumed duration of an operation until it is measured, in nanoseconds.
    ///   - hasThreads: Whether there is a thread for each of them; the threads end with the admission.
    ///   - sharesSlots: As for ``AdmissionQueue``.
    ///   - delays: The time in the queue; nil for none.
    ///   - clock: The time, and the randomness that spreads retries.
    package init(
        parallel: Int,
        duration: Int64,
        hasThreads: Bool = false,
        sharesSlots: Bool = false,
        delays: Histogram? = nil,
        clock: ServiceClock
    ) {
        let queue = AdmissionQueue(
            parallel: parallel,
            interval: duration / Int64(parallel),
            sharesSlots: sharesSlots,
            // A machine that pauses pauses the serving threads too.
            mayHang: !hasThreads,
            now: clock.monotonic
        )
        state = Mutex(State(queue: queue))
        threads = hasThreads ? (Worker(threads: parallel), Worker(threads: parallel, niceness: 10)) : nil
        self.delays = delays
        self.clock = clock
    }

    /// The number of operations that wait.
    var waiting: Int { state.withLock { $0.queue.count } }
}

// MARK: - For those that wait

extension Admission {
    /// Runs an operation in its task as soon as it is its turn: a caller's, or for nil the service's own.
    ///
    /// - Throws: ``AdmissionRefusal`` if it may not wait, `CancellationError` if the task is cancelled while it waits, or
    ///   the operation's error.
    package func run<Value>(
        for caller: String?,
        within limits: AdmissionLimits = AdmissionLimits(),
        _ operation: () async throws -> Value
    ) async throws -> Value {
        try await wait(for: caller, within: limits) { continuation in
            { continuation.resume(with: $0) }
        }
        defer {
            state.withLock { $0.queue.finish(caller) }
            begin()
        }
        return try await operation()
    }

    /// Runs an operation on one of the threads as soon as it is its turn.
    func runOnThread<Value: Sendable>(
        for caller: String?,
        within limits: AdmissionLimits,
        _ operation: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let eventLoop = MultiThreadedEventLoopGroup.currentEventLoop
        return try await wait(for: caller, within: limits) { continuation in
            { turn in
                switch turn {
                case .failure(let error): continuation.resume(throwing: error)
                case .success:
                    let isAccepted = self.signingThreads?.run {
                        let result = Result { try operation() }
                        self.finish(caller, Delivery(eventLoop: eventLoop) { continuation.resume(with: result) })
                    }
                    guard isAccepted != true else { return }
                    // The system cannot create a thread.
                    self.state.withLock { $0.queue.finish(caller) }
                    continuation.resume(throwing: AdmissionRefusal(.queueSize, retryAfter: 1))
                }
            }
        }
    }

    private func wait<Value: Sendable>(
        for caller: String?,
        within limits: AdmissionLimits,
        _ end: (CheckedContinuation<Value, any Error>) -> @Sendable (Result<Void, any Error>) -> Void
    ) async throws -> Value {
        let id = ids.add(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Request(id: id, arrival: clock.monotonic, end: end(continuation)), of: caller, within: limits)
                // The handler may have found nothing, because it was too early.
                if Task.isCancelled { cancel(id, of: caller) }
            }
        } onCancel: {
            cancel(id, of: caller)
        }
    }

    private var signingThreads: Worker? {
        let elapsed = clock.monotonic - refusedAt.load(ordering: .relaxed)
        return elapsed < Self.refusingTime ? threads?.patient : threads?.usual
    }

    private func add(_ request: Request, of caller: String?, within limits: AdmissionLimits) {
        let refused = state.withLock { $0.queue.add(request, of: caller, within: limits, random: clock.random) }
        if !refused.isEmpty { refusedAt.store(request.arrival, ordering: .relaxed) }
        for (request, refusal) in refused { request.end(.failure(refusal)) }
        if threads != nil, !refused.isEmpty { pause(since: request.arrival) }
        begin()
    }

    /// Pauses the event loop, after it has handled what has arrived by now, so that it handles several requests at once.
    ///
    /// In an overload requests arrive one by one, and each would wake the event loop's thread and interrupt a signature. A
    /// turn that takes as long as the pause is not made longer. At twice the maximum, a service on one core issues 0.84 of
    /// the maximum in place of 0.76 (`Benchmarks/bursts.py`). It sleeps, since nothing in NIO holds up all reads of a loop.
    private func pause(since start: Int64) {
        guard let eventLoop = MultiThreadedEventLoopGroup.currentEventLoop else { return }
        let id = ObjectIdentifier(eventLoop)
        guard state.withLock({ $0.pausing.insert(id).inserted }) else { return }
        eventLoop.execute {
            self.state.withLock { _ = $0.pausing.remove(id) }
            let rest = Self.collectingTime - (self.clock.monotonic - start)
            if rest > 0 { usleep(UInt32(rest / 1000)) }
        }
    }

    /// Removes an operation that waits, because its client has gone.
    private func cancel(_ id: Int64, of caller: String?) {
        let request = state.withLock { $0.queue.remove(id, of: caller, now: clock.monotonic) }
        request?.end(.failure(CancellationError()))
    }
}

// MARK: - Taking turns

extension Admission {
    /// Starts all operations for which a slot is free.
    private func begin() {
        let now = clock.monotonic
        while let taken = state.withLock({ $0.queue.take(now: now) }) { begin(taken) }
    }

    private func begin(_ taken: (request: Request, delay: Int64)) {
        delays?.record(.nanoseconds(taken.delay))
        taken.request.end(.success(()))
    }

    /// Frees a thread, and delivers the results that are due.
    ///
    /// Waking the thread that serves a request costs much less for several results together. An operation that begins here
    /// delivers in its turn what is held back; the last one delivers everything.
    private func finish(_ caller: String?, _ delivery: Delivery) {
        let now = clock.monotonic
        let (next, due) = state.withLock { state in
            state.queue.finish(caller)
            state.results.append(delivery)
            let next = state.queue.take(now: now)
            let isDue = next == nil || state.results.count >= Self.groupSize
            return (next, isDue ? exchange(&state.results, with: []) : [])
        }
        if let next { begin(next) }
        // Those of one event loop together, so that it is woken once.
        for (_, group) in Dictionary(grouping: due, by: { $0.eventLoop.map(ObjectIdentifier.init) }) {
            let deliver = { @Sendable in for delivery in group { delivery.run() } }
            if let eventLoop = group[0].eventLoop { eventLoop.execute(deliver) } else { deliver() }
        }
    }
}
