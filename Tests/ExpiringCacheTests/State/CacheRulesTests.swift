import Testing

@testable import ExpiringCache

struct CacheRulesTests {
    struct Example: Sendable {
        let what: String
        var minimumRemaining: Seconds = 30
        var refreshAhead: Seconds = 600
        let lifetime: Seconds
        let usable: Seconds
        /// The first and the last moment at which a refresh may become due.
        let fresh: ClosedRange<Seconds>
    }

    @Test(
        arguments: [
            Example(what: "a token", minimumRemaining: 300, lifetime: 3_540, usable: 3_240, fresh: 2_640...2_940),
            Example(what: "the shortest token", minimumRemaining: 300, lifetime: 600, usable: 300, fresh: 180...240),
            Example(what: "an access token", lifetime: 3_600, usable: 3_570, fresh: 2_970...3_270),
            Example(what: "a minute", lifetime: 60, usable: 30, fresh: 18...24),
            Example(what: "a second", lifetime: 1, usable: 0.5, fresh: 0.3...0.4),
            Example(
                what: "no refreshing ahead",
                minimumRemaining: 0,
                refreshAhead: 0,
                lifetime: 60,
                usable: 60,
                fresh: 60...60
            ),
        ]
    )
    func lifespanFollowsFromTheLifetime(_ example: Example) {
        var configuration = CacheConfiguration()
        configuration.minimumRemaining = example.minimumRemaining
        configuration.refreshAhead = example.refreshAhead
        let rules = CacheRules(configuration)
        for (jitter, fresh) in [(0.0, example.fresh.lowerBound), (1.0, example.fresh.upperBound)] {
            let lifespan = rules.lifespan(of: Fetched(0, lifetime: example.lifetime), jitter: jitter)
            #expect(lifespan.total.seconds == example.lifetime)
            #expect(lifespan.usable.seconds == example.usable)
            #expect(lifespan.fresh.seconds == fresh)
        }
    }

    @Test(
        arguments: [(0, 0), (100, 100), (2_970, 2_970), (2_971, 2_970), (-1, 0), (.infinity, 2_970), (.nan, 0)]
            as [(Seconds, Seconds)]
    )
    func sourceMayAskForAnEarlierRefresh(_ asked: Seconds, _ fresh: Seconds) {
        let rules = CacheRules(CacheConfiguration())
        let lifespan = rules.lifespan(of: Fetched(0, lifetime: 3_600, refreshAfter: asked), jitter: 0)
        #expect(lifespan.fresh.seconds == fresh)
        #expect(lifespan.usable.seconds == 3_570)
    }

    @Test(
        arguments: [(1, 0.5), (2, 1), (3, 2), (6, 16), (7, 30), (8, 30), (61, 30), (1_000, 30), (Int.max, 30)]
            as [(Int, Seconds)]
    )
    func backoffDoublesUpToItsLimit(_ failures: Int, _ step: Seconds) {
        let rules = CacheRules(CacheConfiguration())
        #expect(rules.backoff(failures: failures, jitter: 0).seconds == step / 2)
        #expect(rules.backoff(failures: failures, jitter: 0.5).seconds == step * 3 / 4)
        #expect(rules.backoff(failures: failures, jitter: 1).seconds == step)
    }

    @Test func settingsOutOfRangeAreHarmless() async throws {
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

    @Test func clocksThatMakeNoSenseAreHarmless() {
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
                _ = state.lookUp(0, needing: .max, at: now)
                _ = state.handle(.refresh(0), at: now, jitter: 1)
                _ = state.handle(.request(.init(key: 1, waiter: state.nextID())), at: now, jitter: 1)
            }
            _ = state.handle(.removeAll, at: born, jitter: 1)
        }
    }
}
