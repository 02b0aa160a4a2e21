import ExpiringCache
import Testing

struct ExpiringCacheTests {
    @Test func fetchesOnceAndKeeps() async throws {
        let cache = ExpiringCache<String, Int> { _, _ in Fetched(1, lifetime: 60) }
        #expect(cache.cachedValue(for: "a") == nil)
        #expect(try await cache.value(for: "a") == 1)
        #expect(cache.cachedValue(for: "a") == 1)
    }
}
