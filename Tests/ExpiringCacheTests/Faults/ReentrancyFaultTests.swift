import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("Code that the cache calls and that calls the cache", .watchdog)
struct ReentrancyFaultTests {
    /// Lets a closure that a cache is made with refer to that cache.
    final class Reference: Sendable {
        private let cache = Lock<ExpiringCache<String, Int>?>(nil)

        func set(_ cache: ExpiringCache<String, Int>) { self.cache.withLock { $0 = cache } }
        func get() throws -> ExpiringCache<String, Int> { try #require(cache.withLock { $0 }) }
    }

    @Test("A fetch may return without suspending", .tags(.b24))
    func fetchMayReturnWithoutSuspending() async throws {
        let cache = ExpiringCache<String, Int>(configuration: .patient) { _, _ in Fetched(1, lifetime: 60) }
        #expect(try await cache.value(for: "a") == 1)
    }

    @Test("The observer may call the cache", .tags(.b24))
    func observerMayCallTheCache() async throws {
        let reference = Reference()
        let cache = ExpiringCache<String, Int>(
            configuration: .patient,
            observer: { event in
                guard let cache = try? reference.get() else { return }
                if event.name == .fetchFinished { cache.insert(Fetched(2, lifetime: 60), for: "b") }
                _ = cache.count
            },
            fetch: { _, _ in Fetched(1, lifetime: 60) }
        )
        reference.set(cache)
        #expect(try await cache.value(for: "a") == 1)
        #expect(cache.cachedValue(for: "b") == 2)
    }

    @Test("A value may call the cache as it is freed", .tags(.b24))
    func valueMayCallTheCacheAsItIsFreed() async throws {
        final class Value: Sendable {
            let onRelease: @Sendable () -> Void
            init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
            deinit { onRelease() }
        }
        let released = Journal<Int>()
        let cache = ExpiringCache<Int, Value>(
            configuration: {
                var configuration = CacheConfiguration.patient
                configuration.capacity = 2
                return configuration
            }(),
            fetch: { _, _ in throw TestError.retryable }
        )
        let insert: @Sendable (Int) -> Void = { [weak cache] key in
            let value = Value { [weak cache] in released.append(cache?.count ?? -1) }
            cache?.insert(Fetched(value, lifetime: 60), for: key)
        }
        insert(1)
        insert(1)
        #expect(released.entries.count == 1)
        insert(2)
        insert(3)
        #expect(released.entries.count == 2)
        cache.invalidate(3) { _ in true }
        #expect(released.entries.count == 3)
        cache.removeAll()
        #expect(released.entries.count == 4)
    }

    @Test("A fetch that needs its own result fails at once", .tags(.b25))
    func fetchThatNeedsItsOwnResultFailsAtOnce() async throws {
        let reference = Reference()
        let cache = ExpiringCache<String, Int> { key, _ in
            let own = Task { try await reference.get().value(for: key) }
            #expect(await own.failure?.code == .reentrant)
            return Fetched(try await reference.get().value(for: key), lifetime: 60)
        }
        reference.set(cache)
        do {
            _ = try await cache.value(for: "a")
            Issue.record("A fetch got its own result")
        } catch {
            let outer = try #require(error as? CacheError)
            #expect(outer.code == .unavailable)
            #expect((outer.underlying as? CacheError)?.code == .reentrant)
        }
    }

    @Test("A fetch may need another key", .tags(.b25))
    func fetchMayNeedAnotherKey() async throws {
        let reference = Reference()
        let cache = ExpiringCache<String, Int>(configuration: .patient) { key, _ in
            guard key != "base" else { return Fetched(40, lifetime: 60) }
            return Fetched(try await reference.get().value(for: "base") + 2, lifetime: 60)
        }
        reference.set(cache)
        #expect(try await cache.value(for: "a") == 42)
    }
}
