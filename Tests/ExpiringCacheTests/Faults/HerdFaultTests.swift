import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

/// Clients that began together.
///
/// The number is that of `docs/token-cache.md`.
struct HerdFaultTests {
    @Test("Jitter is drawn once per value", .tags(.b32))
    func jitterIsDrawnOncePerValue() async throws {
        let draws = Lock(0)
        let time = TestClock()
        let cache = ExpiringCache<String, Int>(
            clock: time.cache,
            random: {
                draws.withLock { $0 += 1 }
                return draws.withLock { Double($0 % 2) }
            },
            fetch: { _, _ in throw TestError.retryable }
        )
        cache.insert(Fetched(1, lifetime: 1_000), for: "a")
        let lifespan = cache.core.withLock { $0.state.entries["a"]?.lifespan }
        let before = draws.withLock { $0 }
        for _ in 0..<100 {
            time.advance(by: 5)
            #expect(cache.cachedValue(for: "a") == 1)
            #expect(try await cache.value(for: "a") == 1)
        }
        #expect(draws.withLock { $0 } == before)
        #expect(cache.core.withLock { $0.state.entries["a"]?.lifespan } == lifespan)
    }
}
