import JOSE
import Libc
import NIOCore
import NIOPosix
import ServiceSupport
import Synchronization
import Telemetry
import TokenIssuance
import TokenMinting

/// The threads that sign with keys in this process, one for each core, and the queue that they take signatures from.
///
/// A signature uses a core for a quarter of a millisecond. On the threads that serve requests it would delay all
/// requests that need none. Its way:
///
/// 1. ``ThreadedSigner`` adds it to the ``TokenIssuance/AdmissionQueue``, which may refuse it, or another.
/// 2. A thread takes the next one, and from the same queue up to seven more with keys of the same size for
///    ``BatchSigner``, whatever their kinds and accounts, if as many wait as make that worth it. It never waits for more.
/// 3. ``JOSE/RSABatch`` makes and proves the batch, or ``JOSE/RSAPrivateKey`` the single signature.
/// 4. The tokens go back to the threads that serve their requests.
///
/// While more signatures wait, single results are delivered in small groups, too: waking the serving thread, which then
/// writes an audit line and a response and reads the next request, costs much less for several results at once. The last
/// signature in the queue delivers all results, so none waits for new requests.
package final class SigningThreads: Sendable {
    /// The maximum number of results of single signatures that are held back.
    private static let groupSize = 4
    /// The maximum number that is held back while many more wait.
    private static let maximumGroupSize = 16

    private struct Job {
        let signer: LocalSigner
        let key: BatchKey?
        let payload: [UInt8]
        let eventLoop: (any EventLoop)?
        let continuation: UnsafeContinuation<SignedToken, any Error>
    }

    private struct Taken {
        let job: Job
        let caller: String
        /// The time in the queue, in nanoseconds.
        let delay: Int64
    }

    private struct Signed {
        let job: Job
        let result: Result<SignedToken, any Error>
    }

    private struct State {
        /// Signatures that no thread has taken.
        var queue: AdmissionQueue
        var jobs: [AdmissionQueue.ID: Job] = [:]
        /// The number of threads that take from the queue.
        var working = 0
        /// Results that are not delivered yet.
        var signed: [Signed] = []

        /// Takes the next signature, with those that fit into its batch.
        mutating func take(inBatches: Bool, now: Int64) -> [Taken] {
            guard let first = queue.take(now: now).flatMap({ taken($0) }) else { return [] }
            var batch = [first]
            guard inBatches, let key = first.job.key else { return batch }
            guard queue.hasFitting(key.least - 1, into: key.bits) else { return batch }
            while batch.count < RSABatch.count, let next = queue.takeNext(now: now, fitting: key.bits) {
                taken(next).map { batch.append($0) }
            }
            return batch
        }

        private mutating func taken(_ taken: AdmissionQueue.Taken) -> Taken? {
            jobs.removeValue(forKey: taken.id).map { Taken(job: $0, caller: taken.caller, delay: taken.delay) }
        }
    }

    /// The number of threads.
    let count: Int
    /// Makes several signatures at once.
    let batches: BatchSigner
    private let pool: NIOThreadPool
    private let state: Mutex<State>
    private let ids = Atomic<Int64>(0)
    private let delays: Histogram?
    private let clock: ServiceClock
    private let willSign: @Sendable (Int) -> Void

    /// Creates the threads; they end with the last signer that uses them.
    ///
    /// - Parameters:
    ///   - count: The number of threads.
    ///   - batches: Makes several signatures at once.
    ///   - delays: The time in the queue; nil for none.
    ///   - clock: The time, and the chance that spreads retries.
    ///   - willSign: Called on the thread before it makes so many signatures at once; for tests.
    init(
        count: Int,
        batches: BatchSigner,
        delays: Histogram? = nil,
        clock: ServiceClock,
        willSign: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.count = count
        self.batches = batches
        self.delays = delays
        self.clock = clock
        self.willSign = willSign
        let interval = batches.duration / Int64(count)
        // A machine that pauses pauses the serving threads too.
        let queue = AdmissionQueue(parallel: count, interval: interval, mayHang: false, now: clock.monotonic)
        state = Mutex(State(queue: queue))
        pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
    }

    deinit {
        // Not waiting: this may be one of them.
        pool.shutdownGracefully { _ in }
    }

    /// The number of signatures that no thread has taken.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Estimates the time in the queue by the keys' self-tests, until it is measured.
    func assumeMeasuredDuration() {
        let interval = batches.duration / Int64(count)
        state.withLock { $0.queue.assume(interval: interval) }
    }
}

// MARK: - For the serving threads

extension SigningThreads {
    /// Signs a payload on one of the threads.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - signer: Its signer.
    ///   - key: The signer's key for batches; nil to sign it alone.
    ///   - flow: The caller whose turn it uses.
    ///   - limits: What may wait.
    /// - Returns: The token.
    /// - Throws: ``AdmissionRefusal`` if it may not wait, `CancellationError` if the task is cancelled while it waits, or
    ///   the signer's error.
    func sign(
        _ payload: [UInt8],
        by signer: LocalSigner,
        _ key: BatchKey?,
        for flow: Flow = .service,
        within limits: AdmissionLimits = AdmissionLimits()
    ) async throws -> SignedToken {
        let id = ids.add(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let eventLoop = MultiThreadedEventLoopGroup.currentEventLoop
                submit(
                    Job(signer: signer, key: key, payload: payload, eventLoop: eventLoop, continuation: continuation),
                    id: id,
                    flow: flow,
                    limits: limits
                )
                // The handler may have found nothing, because it was too early.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func submit(_ job: Job, id: AdmissionQueue.ID, flow: Flow, limits: AdmissionLimits) {
        let now = clock.monotonic
        let (refused, needsThread) = state.withLock { state in
            state.jobs[id] = job
            let refused = state.queue.add(
                id,
                of: flow,
                cost: job.signer.cost,
                batch: job.key?.bits ?? 0,
                within: limits,
                now: now,
                random: clock.random()
            ).map { (job: state.jobs.removeValue(forKey: $0.id), refusal: $0.refusal) }
            guard state.working < count, state.queue.count > 0 else { return (refused, false) }
            state.working += 1
            return (refused, true)
        }
        refused.map { $0.job?.continuation.resume(throwing: $0.refusal) }
        if needsThread { pool.submit { _ in self.work() } }
    }

    /// Removes a signature that waits, because its client has gone.
    private func cancel(_ id: AdmissionQueue.ID) {
        let now = clock.monotonic
        let job = state.withLock { $0.queue.remove(id, now: now) ? $0.jobs.removeValue(forKey: id) : nil }
        job?.continuation.resume(throwing: CancellationError())
    }
}

// MARK: - On the signing threads

extension SigningThreads {
    /// Signs until nothing waits.
    private func work() {
        while let taken = take() {
            for signature in taken { delays?.record(.nanoseconds(signature.delay)) }
            willSign(taken.count)
            let jobs = taken.map(\.job)
            let isDelivered = deliver(zip(jobs, sign(jobs)).map { Signed(job: $0, result: $1) }, taken)
            // On an idle core this costs almost nothing. Otherwise a serving thread that waits for the core would wait
            // for a whole time slice.
            if isDelivered { sched_yield() }
        }
    }

    private func sign(_ jobs: [Job]) -> [Result<SignedToken, any Error>] {
        guard jobs.count > 1 else { return jobs.map { job in Result { try job.signer.sign(payload: job.payload) } } }
        // All of a batch have a key.
        return batches.sign(jobs.compactMap { job in job.key.map { (job.signer, $0, job.payload) } })
    }

    /// Takes the signatures that are made next, or ends the thread's work.
    private func take() -> [Taken]? {
        let now = clock.monotonic
        return state.withLock { state in
            let taken = state.take(inBatches: batches.isActive, now: now)
            if taken.isEmpty { state.working -= 1 }
            return taken.isEmpty ? nil : taken
        }
    }

    /// Delivers the results, if there are enough.
    ///
    /// - Returns: Whether it did.
    private func deliver(_ signed: [Signed], _ taken: [Taken]) -> Bool {
        let group: [Signed] = state.withLock { state in
            // A batch has one place.
            taken.first.map { state.queue.finish($0.caller) }
            let all = state.signed.isEmpty ? signed : state.signed + signed
            let waiting = state.queue.count
            let groupSize = min(max(Self.groupSize, waiting / 8), Self.maximumGroupSize)
            let isDue = signed.count > 1 || waiting == 0 || all.count >= groupSize
            state.signed = isDue ? [] : all
            return isDue ? all : []
        }
        if group.count > 1 {
            Dictionary(grouping: group) { $0.job.eventLoop.map(ObjectIdentifier.init) }.values.forEach(resume)
        } else {
            resume(group)
        }
        return !group.isEmpty
    }

    /// Resumes the tasks of one event loop over there, so that it is woken once.
    private func resume(_ group: [Signed]) {
        let resume = { @Sendable in for signed in group { signed.job.continuation.resume(with: signed.result) } }
        if let eventLoop = group.first?.job.eventLoop { eventLoop.execute(resume) } else { resume() }
    }
}

extension LocalSigner {
    /// The cost of a signature, as a multiple of one with a key of 2,048 bits: its time grows with the size's cube.
    fileprivate var cost: Int {
        let size = Double(key.publicKey.bits) / 2048
        return max(1, Int((size * size * size).rounded()))
    }
}
