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
/// A signature keeps a core busy for a fifth of a millisecond. On the threads that answer requests it would hold up all
/// that need none.
///
/// While more signatures wait, results are handed back a few at a time: to wake the thread that answers, which then
/// writes an audit line and an answer and takes the next request, costs much less for four than four times for one. The
/// last that waited takes all results with it, so nobody waits for requests to come.
package final class SigningThreads: Sendable {
    /// How many results may be held back.
    private static let batchSize = 4

    private struct Signed {
        let eventLoop: (any EventLoop)?
        let resume: @Sendable () -> Void
    }

    private struct State {
        /// What was handed in and is not signed yet.
        var waiting = 0
        var signed: [Signed] = []
    }

    /// How many threads there are.
    let count: Int
    private let pool: NIOThreadPool
    private let state = Mutex(State())

    /// Starts the threads; they end with the last signer that uses them.
    init(count: Int) {
        self.count = count
        pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
    }

    deinit {
        // Not waiting: this may be one of them.
        pool.shutdownGracefully { _ in }
    }

    /// Runs something on one of the threads, after what came before it, to its end even if the task is cancelled.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let eventLoop = MultiThreadedEventLoopGroup.currentEventLoop
        return try await withUnsafeThrowingContinuation { continuation in
            state.withLock { $0.waiting += 1 }
            pool.submit { _ in
                let result = Swift.Result { try body() }
                if self.deliver(Signed(eventLoop: eventLoop, resume: { continuation.resume(with: result) })) {
                    // On a core with nothing else to do this costs next to nothing. Where the thread that answers waits
                    // for the core, it would otherwise wait for as long as the system gives a thread at a time.
                    sched_yield()
                }
            }
        }
    }

    /// Hands back what is signed, if it is enough.
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
