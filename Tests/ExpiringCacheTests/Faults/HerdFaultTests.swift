import TestRandomness
import Testing

@testable import ExpiringCache

/// Clients that began together.
///
/// The number is that of `docs/token-cache-faults.md`.
struct HerdFaultTests {
    private static let clients = 10_000
    private static let lifetime: Seconds = 3_540
    private static let bin: Seconds = 10

    @Test func b32JitterIsDrawnOncePerValue() async throws {
        let draws = Lock(0)
        let time = TestTime()
        let cache = ExpiringCache<String, Int>(
            clock: time.clock,
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

    @Test func b32ClientsThatBeganTogetherDriftApart() {
        let apart = peakOverMean(jittered: true)
        let together = peakOverMean(jittered: false)
        print("Peak over mean of the fetch rate after three lifetimes: \(apart) with jitter, \(together) without")
        #expect(apart < 10)
        #expect(together > 5 * apart)
    }

    /// The fetch rate of clients that all start within ten seconds, call every ten, and go through three lifetimes.
    private func peakOverMean(jittered: Bool) -> Double {
        var configuration = CacheConfiguration()
        configuration.minimumRemaining = 300
        let rules = CacheRules(configuration)
        var random = SeededGenerator(seed: 1)
        var bins: [Int: Int] = [:]
        var fetches = 0
        for _ in 0..<Self.clients {
            var time = random.next(below: Self.bin)
            for round in 0..<4 {
                let jitter = jittered ? random.next(below: 1) : 0
                let lifespan = rules.lifespan(of: Fetched(0, lifetime: Self.lifetime), jitter: jitter)
                time += lifespan.fresh.seconds + random.next(below: Self.bin)
                guard round == 3 else { continue }
                bins[Int(time / Self.bin), default: 0] += 1
                fetches += 1
            }
        }
        // In the long run each client fetches once per three quarters of a lifetime or so.
        let period = rules.lifespan(of: Fetched(0, lifetime: Self.lifetime), jitter: 0.5).fresh.seconds
        let mean = Double(fetches) * Self.bin / period
        return Double(bins.values.max() ?? 0) / mean
    }
}
