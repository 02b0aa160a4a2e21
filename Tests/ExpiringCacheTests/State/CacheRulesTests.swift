import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("The cache's settings and times")
struct CacheRulesTests {
    @Test(
        "A source may request an earlier refresh, not a later one",
        arguments: [(0, 0), (100, 100), (2_970, 2_970), (2_971, 2_970), (-1, 0), (.infinity, 2_970), (.nan, 0)]
            as [(Seconds, Seconds)]
    )
    func sourceMayAskForAnEarlierRefresh(_ asked: Seconds, _ fresh: Seconds) {
        let rules = CacheRules(CacheConfiguration())
        let lifespan = rules.lifespan(of: Fetched(0, lifetime: 3_600, refreshAfter: asked), jitter: 0)
        #expect(lifespan.fresh.seconds == fresh)
        #expect(lifespan.usable.seconds == 3_570)
    }

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

    @Test("Settings out of range are harmless")
    func settingsOutOfRangeAreHarmless() async throws {
        for odd in [-1, -.infinity, .infinity, .nan, 1e300] as [Seconds] {
            var configuration = CacheConfiguration()
            configuration.capacity = .min
            configuration.minimumRemaining = odd
            configuration.refreshAhead = odd
            configuration.maximumRetryAfter = odd
            configuration.denialLifetime = odd
            configuration.maximumAbandonedFetches = .min
            if !odd.isNaN { configuration.backoff = min(odd, 0)...max(odd, 0) }
            let harness = Harness(jitter: odd) { $0 = configuration }
            #expect(try await harness.fill() == 1)
            await harness.fail("b", with: TestError.permanent)
            #expect(harness.cache.cachedValue(for: "b", validFor: odd) == nil)
            #expect(harness.cache.count == 1)
        }
    }

    @Test("Clock readings at the limits are harmless")
    func clocksThatMakeNoSenseAreHarmless() {
        let moments = [Int64.min, -1, 0, 1, .max].flatMap { first in
            [Int64.min, -1, 0, 1, .max].map { Instant(continuous: first, wall: $0) }
        }
        for born in moments {
            var state = CacheState<Int, Int>(CacheConfiguration())
            _ = state.handle(.insert(0, Fetched(1, lifetime: 60)), at: born, jitter: 1)
            guard let plan = state.handle(.refresh(1), at: born, jitter: 1).starts.first else {
                Issue.record("Nothing was fetched")
                return
            }
            _ = state.handle(.fail(plan, TestError.permanent, .permanent), at: born, jitter: 1)
            for now in moments {
                _ = state.lookUp(0, needing: .max, at: now) { $0 }
                _ = state.handle(.refresh(0), at: now, jitter: 1)
                _ = state.handle(.request(.init(key: 1, waiter: state.nextID())), at: now, jitter: 1)
            }
            _ = state.handle(.removeAll, at: born, jitter: 1)
        }
    }
}
