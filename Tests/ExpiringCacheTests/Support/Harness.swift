import TestTime
import Timing

@testable import ExpiringCache

/// A cache in a world that stands still: its time, its source and its chance are the test's.
///
/// Values live 1,000 seconds unless a test says otherwise: fresh for 770, usable for 970.
struct Harness: Sendable {
    let time = TestClock()
    let source = TestSource()
    let log = EventLog()
    let cache: ExpiringCache<String, Int>

    init(jitter: Double = 0, _ configure: (inout CacheConfiguration) -> Void = { _ in }) {
        var configuration = CacheConfiguration()
        configure(&configuration)
        cache = ExpiringCache(
            configuration: configuration,
            clock: time.cache,
            scheduler: time.scheduler,
            random: { jitter },
            observer: { [log] in log.append($0) },
            fetch: { [source] in try await source.fetch($0, $1) }
        )
    }

    /// Starts a caller and waits until it waits, and until the timers that end its wait run: time may move on then.
    func caller(for key: String = "a", validFor: Seconds = 0) async -> Task<Int, any Error> {
        let waits = log.waits
        let task = Task { try await cache.value(for: key, validFor: validFor) }
        await log.wait(forWaits: waits + 1)
        let hasTimeout = cache.configuration.callTimeout != .infinity
        while hasTimeout, !cache.core.withLock({ $0.waiters.values.allSatisfy { $0.cancelTimeout != nil } }) {
            await Task.yield()
        }
        return task
    }

    /// Lets a caller's fetch bring a value.
    @discardableResult
    func fill(_ key: String = "a", with value: Int = 1, lifetime: Seconds = 1_000) async throws -> Int {
        let caller = await caller(for: key)
        await source.next().succeed(value, lifetime: lifetime)
        return try await caller.value
    }

    /// Lets a caller's fetch fail.
    @discardableResult
    func fail(_ key: String = "a", with error: any Error = TestError.retryable) async -> CacheError? {
        let caller = await caller(for: key)
        await source.next().fail(error)
        return await caller.failure
    }

    /// What a caller gets who must not wait.
    func call(_ key: String = "a", validFor: Seconds = 0) async -> Result<Int, CacheError> {
        do {
            return .success(try await cache.value(for: key, validFor: validFor))
        } catch {
            return .failure(error as? CacheError ?? CacheError(.removed, underlying: error))
        }
    }

    /// The task of the fetch that runs for a key: awaiting it, a test knows that the cache took in what came of it.
    func fetchTask(of key: String = "a") -> Task<Void, Never>? {
        cache.core.withLock { core in core.state.flights[key].flatMap { core.fetches[$0.id]?.task } }
    }

    /// Waits until no more fetches of "a" that were given up are still running.
    func drain(to count: Int = 0) async {
        let now = cache.clock.now
        while cache.core.withLock({ $0.state.abandoned.count(of: "a", at: now).count }) > count { await Task.yield() }
    }
}

extension ExpiringCache {
    /// The number of values, including expired ones.
    var count: Int { core.withLock { $0.state.entries.slots.count } }
}

extension Task where Failure == any Error {
    /// The cache's error, once the task has failed.
    var failure: CacheError? {
        get async {
            guard case .failure(let error) = await result else { return nil }
            return error as? CacheError
        }
    }
}

extension Result where Failure == CacheError {
    var code: CacheError.Code? {
        guard case .failure(let error) = self else { return nil }
        return error.code
    }

    var value: Success? { try? get() }
}
