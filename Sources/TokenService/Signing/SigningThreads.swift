import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The threads that sign with keys in this process, one for each core.
///
/// A signature uses a core for a fifth of a millisecond. On the threads that serve requests it would delay all requests
/// that need none.
///
/// While more signatures wait, results are delivered in small groups: waking the serving thread, which then writes an
/// audit line and a response and reads the next request, costs much less for four results at once. The last signature
/// in the queue delivers all results, so none waits for new requests.
package final class SigningThreads: Sendable {
    /// How many results may be held back.
    private static let batchSize = 4

    private struct Signed {
        let eventLoop: (any EventLoop)?
        let resume: @Sendable () -> Void
    }

    private struct State {
        /// Submitted signatures that are not signed yet.
        var waiting = 0
        var signed: [Signed] = []
    }

    /// How many threads there are.
    let count: Int
    private let pool: NIOThreadPool
    private let state = Mutex(State())

    /// Creates the threads; they end with the last signer that uses them.
    init(count: Int) {
        self.count = count
        pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
    }

    deinit {
        // Not waiting: this may be one of them.
        pool.shutdownGracefully { _ in }
    }

    /// Runs an operation on one of the threads, in order, to completion even if the task is cancelled.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let eventLoop = MultiThreadedEventLoopGroup.currentEventLoop
        return try await withUnsafeThrowingContinuation { continuation in
            state.withLock { $0.waiting += 1 }
            pool.submit { _ in
                let result = Swift.Result { try body() }
                if self.deliver(Signed(eventLoop: eventLoop, resume: { continuation.resume(with: result) })) {
                    // On an idle core this costs almost nothing. Otherwise a serving thread that waits for the core
                    // would wait for a whole time slice.
                    sched_yield()
                }
            }
        }
    }

    /// Delivers the results, if there are enough.
    ///
    /// - Returns: Whether it was.
    private func deliver(_ signed: Signed) -> Bool {
        let batch: [Signed] = state.withLock { state in
            state.waiting -= 1
            state.signed.append(signed)
            guard state.waiting == 0 || state.signed.count >= Self.batchSize else { return [] }
            defer { state.signed.removeAll(keepingCapacity: true) }
            return state.signed
        }
        for group in Dictionary(grouping: batch, by: { $0.eventLoop.map(ObjectIdentifier.init) }).values {
            let resume = { @Sendable in for signed in group { signed.resume() } }
            // Resumed over there, so that it is woken once.
            if let eventLoop = group[0].eventLoop { eventLoop.execute(resume) } else { resume() }
        }
        return !batch.isEmpty
    }
}
