import Logging
import NIOPosix
import ServiceLifecycle
import ServiceSupport
import Synchronization
import Telemetry
import TokenIssuance
import TokenMinting

/// Buckets in Redis, accessed over one connection on its own thread.
///
/// Requests that arrive during a call are sent in the next batch: Redis is single-threaded, so more connections would
/// only wait there. A missing or invalid response closes the connection; from then on all calls return immediately as
/// unavailable, until ``run()`` has reconnected. So an outage costs the requests in progress one timeout, and all
/// others nothing.
final class RedisRateStore: RateStore, Service {
    /// The maximum number of requests that wait for the next call.
    ///
    /// Further requests are told that the store is unavailable.
    static let maximumWaiting = 512

    private struct Waiting {
        let bucket: RateBucket
        let continuation: CheckedContinuation<RateResult, Never>
    }

    private struct State {
        var isUp = false
        /// Whether the thread has been woken and will process all waiting requests.
        var isAtWork = false
        var waiting: [Waiting] = []
        var backoff = RedisBackoff()
        /// The last logged reason; nil while Redis is available.
        var failure: RedisFailure?
    }

    private let state = Mutex(State())
    /// Used on the thread only.
    private let session = Mutex<(any RedisSession)?>(nil)
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let probeBucket: RateBucket
    private let connect: @Sendable () throws(RedisFailure) -> sending any RedisSession
    private let clock: ServiceClock
    private let metrics: RedisMetrics
    private let logger: Logger

    /// Creates a store that is unavailable until it runs.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of all bucket names.
    ///   - metrics: Metrics of the calls.
    ///   - clock: The time, and the chance that spreads attempts to connect.
    ///   - logger: Logs when the store becomes unavailable and available again.
    ///   - connect: Makes a connection; called on a thread that may block.
    init(
        prefix: String,
        metrics: RedisMetrics,
        clock: ServiceClock,
        logger: Logger,
        connect: @escaping @Sendable () throws(RedisFailure) -> sending any RedisSession
    ) {
        probeBucket = RateBucket(key: "\(prefix)probe", interval: 1, capacity: 1_000)
        self.metrics = metrics
        self.logger = logger
        self.clock = clock
        self.connect = connect
        metrics.up.set(0)
    }

    func take(_ bucket: RateBucket) async -> RateResult {
        guard state.withLock({ $0.isUp }) else { return .unavailable }
        return await withCheckedContinuation { continuation in
            let (isAccepted, isFirst) = state.withLock { state in
                guard state.isUp, state.waiting.count < Self.maximumWaiting else { return (false, false) }
                state.waiting.append(Waiting(bucket: bucket, continuation: continuation))
                defer { state.isAtWork = true }
                return (true, !state.isAtWork)
            }
            if !isAccepted { continuation.resume(returning: .unavailable) }
            if isFirst { submitWork() }
        }
    }

    /// Connects, and keeps the connection alive until shutdown.
    func run() async throws {
        thread.start()
        var isFirst = true
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            await probe(isFirst: isFirst)
            isFirst = false
            let wait = state.withLock { $0.backoff.wait(isUp: $0.isUp, jitter: clock.random()) }
            try? await cancelWhenGracefulShutdown { [clock] in try await clock.sleep(for: wait) }
        }
        state.withLock { $0.isUp = false }
        release()
        // Without waiting: the thread may be resolving a name, which has no timeout except the system's.
        thread.shutdownGracefully { _ in }
    }

    /// Checks whether Redis responds: a dead connection is detected before a request waits for it, and new connections
    /// are made only here.
    ///
    /// It is awaited until shutdown, and no longer.
    private func probe(isFirst: Bool) async {
        let probed = SharedResult<Void>()
        thread.submit { [self] state in
            if state == .active { connectOrProbe(isFirst: isFirst) }
            probed.finish(.success(()))
        }
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                try? await probed.value
            } onGracefulShutdown: {
                probed.finish(.success(()))
            }
        } onCancel: {
            probed.finish(.success(()))
        }
    }

    private func submitWork() {
        thread.submit { [self] state in
            // An inactive pool has ended, and with it the service.
            if state == .active { work() } else { release() }
        }
    }

    // MARK: On the thread

    private func connectOrProbe(isFirst: Bool) {
        let wasUp = state.withLock { $0.isUp }
        do throws(RedisFailure) {
            if !wasUp { try session.withLock { session throws(RedisFailure) in session = try connect() } }
            _ = try call([probeBucket])
            if wasUp { state.withLock { $0.backoff.reset() } } else { connected(isFirst: isFirst) }
        } catch {
            disconnected(error)
        }
    }

    /// Sends all waiting requests, until there are none.
    private func work() {
        while let batch = nextBatch() {
            do throws(RedisFailure) {
                let results = try call(batch.map(\.bucket))
                for (waiting, result) in zip(batch, results) { waiting.continuation.resume(returning: result) }
            } catch {
                disconnected(error)
                for waiting in batch { waiting.continuation.resume(returning: .unavailable) }
            }
        }
    }

    private func nextBatch() -> [Waiting]? {
        state.withLock { state in
            guard state.waiting.isEmpty else {
                defer { state.waiting = [] }
                return state.waiting
            }
            state.isAtWork = false
            return nil
        }
    }

    private func call(_ buckets: [RateBucket]) throws(RedisFailure) -> [RateResult] {
        let start = clock.monotonic
        var result = RedisResultLabel.failed
        defer { metrics.duration[result].record(clock.duration(since: start)) }
        let results = try session.withLock { session throws(RedisFailure) in
            guard let session else { throw .disconnected("not connected") }
            return try session.take(buckets)
        }
        result = .answered
        return results
    }

    private func connected(isFirst: Bool) {
        state.withLock { state in
            state.isUp = true
            state.failure = nil
        }
        metrics.up.set(1)
        logger.notice(
            isFirst
                ? "Rate limits are shared through Redis." : "Redis is available again: rate limits are shared again."
        )
    }

    private func disconnected(_ failure: RedisFailure) {
        session.withLock { $0 = nil }
        // Each new reason is logged: a server that returns with another password is a new one.
        let isNews = state.withLock { state in
            defer { state.failure = failure }
            state.isUp = false
            state.backoff.failed()
            return state.failure != failure
        }
        release()
        metrics.up.set(0)
        guard isNews else { return }
        logger.warning(
            "Redis is unavailable: each replica uses local rate limits until it is available again.",
            metadata: ["error": "\(failure)"]
        )
    }

    /// Tells all waiting requests to use local limits.
    private func release() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiting in waiting { waiting.continuation.resume(returning: .unavailable) }
    }
}
