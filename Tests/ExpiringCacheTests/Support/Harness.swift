@testable import ExpiringCache

/// A cache in a world that stands still: its time, its source and its chance are the test's.
struct Harness: Sendable {
    let time = TestTime()
    let source = TestSource()
    let log = EventLog()
    let cache: ExpiringCache<String, Int>

    init(jitter: Double = 0, _ configure: (inout CacheConfiguration) -> Void = { _ in }) {
        var configuration = CacheConfiguration()
        configure(&configuration)
        cache = ExpiringCache(
            configuration: configuration,
            clock: time.clock,
            scheduler: time.scheduler,
            random: { jitter },
            observer: { [log] in log.note($0) },
            fetch: { [source] in try await source.fetch($0, $1) }
        )
    }

    /// Starts a caller and waits until it waits.
    func caller(
        for key: String = "a",
        validFor: Seconds = 0,
        timeout: Seconds? = nil
    ) async -> Task<Int, any Error> {
        let before = log.waits
        let task = Task { try await cache.value(for: key, validFor: validFor, timeout: timeout) }
        await log.waitForWaiters(before + 1)
        return task
    }

    /// Fills a key: a caller, a fetch, its answer.
    func fill(_ key: String = "a", with value: Int = 1, lifetime: Seconds = 1_000) async throws {
        let caller = Task { try await cache.value(for: key) }
        await source.next().succeed(value, lifetime: lifetime)
        _ = try await caller.value
    }

    /// What a caller gets without a fetch being answered.
    func error(for key: String = "a", validFor: Seconds = 0) async -> CacheError? {
        do {
            _ = try await cache.value(for: key, validFor: validFor)
            return nil
        } catch {
            return error as? CacheError
        }
    }

    /// Lets a fetch fail, as a caller sees it.
    func fail(_ key: String = "a", with error: TestError = .retryable) async {
        let caller = Task { try await cache.value(for: key) }
        await source.next().fail(error)
        _ = await caller.result
    }
}
