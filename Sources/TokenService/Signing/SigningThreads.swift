import JOSE
import NIOCore
import NIOPosix
import Synchronization
import TokenMinting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The threads that sign with keys in this process, one for each core.
///
/// A signature uses a core for a quarter of a millisecond. On the threads that serve requests it would delay all
/// requests that need none. Its way:
///
/// 1. ``TokenIssuance/GatedSigner`` lets it in, or refuses it because too many wait.
/// 2. ``ThreadedSigner`` submits it here, and waits.
/// 3. A thread takes what waits: up to eight signatures with keys of one size for ``BatchSigner``, whatever their kinds
///    and accounts, if as many wait as make that worth it; otherwise the one that has waited longest. It never waits for
///    more.
/// 4. ``JOSE/RSALanes`` makes and proves the batch, or ``JOSE/RSAPrivateKey`` the single signature.
/// 5. The tokens go back to the threads that serve their requests.
///
/// While more signatures wait, single results are delivered in small groups, too: waking the serving thread, which then
/// writes an audit line and a response and reads the next request, costs much less for four results at once. The last
/// signature in the queue delivers all results, so none waits for new requests.
package final class SigningThreads: Sendable {
    /// How many results of single signatures may be held back.
    private static let groupSize = 4

    private struct Job {
        let signer: LocalSigner
        let key: LaneKey?
        let payload: [UInt8]
        let eventLoop: (any EventLoop)?
        let continuation: UnsafeContinuation<SignedToken, any Error>
    }

    private struct Signed {
        let job: Job
        let result: Result<SignedToken, any Error>
    }

    private struct State {
        /// Submitted signatures that no thread has taken.
        var queue = CircularBuffer<Job>()
        /// How many threads take from the queue.
        var working = 0
        /// Results that are not delivered yet.
        var signed: [Signed] = []

        /// Takes the signature that has waited longest, with those that fit into its batch; nil if none waits.
        mutating func takeFirst(inBatches: Bool) -> [Job]? {
            guard let first = queue.first else { return nil }
            guard inBatches, let key = first.key, queue.count >= key.least else { return [queue.removeFirst()] }
            var jobs: [Job] = []
            var others = CircularBuffer<Job>(initialCapacity: queue.count)
            for job in queue {
                if jobs.count < RSALanes.count, job.key?.bits == key.bits {
                    jobs.append(job)
                } else {
                    others.append(job)
                }
            }
            guard jobs.count >= key.least else { return [queue.removeFirst()] }
            queue = others
            return jobs
        }
    }

    /// How many threads there are.
    let count: Int
    /// Makes several signatures at once.
    let batches: BatchSigner
    private let pool: NIOThreadPool
    private let state = Mutex(State())
    private let willSign: @Sendable (Int) -> Void

    /// Creates the threads; they end with the last signer that uses them.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - batches: Makes several signatures at once.
    ///   - willSign: Called on the thread before it makes so many signatures at once; for tests.
    init(count: Int, batches: BatchSigner, willSign: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.count = count
        self.batches = batches
        self.willSign = willSign
        pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
    }

    deinit {
        // Not waiting: this may be one of them.
        pool.shutdownGracefully { _ in }
    }

    /// How many signatures no thread has taken.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Signs a payload on one of the threads, even if the task is cancelled.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - signer: Its signer.
    ///   - key: The signer's key for batches; nil to sign it alone.
    /// - Returns: The token.
    /// - Throws: The signer's error.
    func sign(_ payload: [UInt8], by signer: LocalSigner, _ key: LaneKey?) async throws -> SignedToken {
        let eventLoop = MultiThreadedEventLoopGroup.currentEventLoop
        return try await withUnsafeThrowingContinuation { continuation in
            submit(Job(signer: signer, key: key, payload: payload, eventLoop: eventLoop, continuation: continuation))
        }
    }

    // Not inlined, so that it is not part of the task's memory.
    @inline(never)
    private func submit(_ job: Job) {
        let needsThread = state.withLock { state in
            state.queue.append(job)
            guard state.working < count else { return false }
            state.working += 1
            return true
        }
        if needsThread { pool.submit { _ in self.work() } }
    }

    /// Signs until nothing waits.
    private func work() {
        while let jobs = take() {
            willSign(jobs.count)
            let isDelivered = deliver(zip(jobs, sign(jobs)).map { Signed(job: $0, result: $1) })
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
    private func take() -> [Job]? {
        state.withLock { state in
            let jobs = state.takeFirst(inBatches: batches.isActive)
            if jobs == nil { state.working -= 1 }
            return jobs
        }
    }

    /// Delivers the results, if there are enough.
    ///
    /// - Returns: Whether it did.
    private func deliver(_ signed: [Signed]) -> Bool {
        let group: [Signed] = state.withLock { state in
            let all = state.signed.isEmpty ? signed : state.signed + signed
            let isDue = signed.count > 1 || state.queue.isEmpty || all.count >= Self.groupSize
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
