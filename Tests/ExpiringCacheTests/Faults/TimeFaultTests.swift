import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("Clocks, slow sources and a value's age", .watchdog)
struct TimeFaultTests {
    static let day: Seconds = 86_400

    @Test(
        "No caller gets an expired value while its refresh runs or hangs",
        .tags(.b9, .b28),
        arguments: [false, true]
    )
    func nobodyGetsAnExpiredValueWhileItsRefreshRuns(isHung: Bool) async throws {
        let harness = Harness()
        try await harness.fill()
        harness.time.advance(by: 969)
        #expect(await harness.call().value == 1)
        let refresh = await harness.source.next()
        harness.time.advance(by: 1)
        #expect(harness.cache.cachedValue(for: "a") == nil)
        let joiner = await harness.caller()
        if isHung {
            harness.time.advance(by: 9)
            #expect(await joiner.failure?.code == .fetchTimedOut)
            harness.time.advance(by: 1)
            #expect(try await harness.fill(with: 2) == 2)
        } else {
            refresh.succeed(2)
            #expect(try await joiner.value == 2)
            #expect(harness.source.started == 2)
        }
    }

    /// How each clock is set after a value came, and the time from then on for which the value is used.
    static let clocks: [(what: String, before: Seconds, after: Seconds, left: Seconds)] = [
        ("the wall clock was set back", 0, -2 * day, 970),
        ("the date was set forward, and back afterwards", 365 * day, -365 * day, 970),
        ("the continuous clock stood still", 0, 969, 1),
    ]

    @Test("A clock that was set doesn't keep a value alive", .tags(.b17, .b18, .b19), arguments: clocks)
    func clockThatWasSetDoesntKeepAValueAlive(
        _ clock: (what: String, before: Seconds, after: Seconds, left: Seconds)
    ) async throws {
        let harness = Harness()
        harness.time.setWallClock(by: clock.before)
        try await harness.fill()
        harness.time.setWallClock(by: clock.after)
        harness.time.advance(by: clock.left - 1)
        #expect(harness.cache.cachedValue(for: "a") == 1)
        harness.time.advance(by: 1)
        #expect(harness.cache.cachedValue(for: "a") == nil)
        #expect(try await harness.fill(with: 2) == 2)
        #expect(harness.cache.cachedValue(for: "a") == 2)
    }

    @Test(
        "The safety margin always shortens a value's use",
        .tags(.b20),
        arguments: [0, 1, 30, 300, 1e6] as [Seconds],
        [0, 1, 59, 60, 3_540, 86_400] as [Seconds]
    )
    func reserveAlwaysShortensAValuesUse(_ reserve: Seconds, _ lifetime: Seconds) {
        var configuration = CacheConfiguration()
        configuration.minimumRemaining = reserve
        let rules = CacheRules(configuration)
        for jitter in [-1, 0, 0.25, 0.5, 1, 2, .nan] {
            let lifespan = rules.lifespan(of: Fetched(0, lifetime: lifetime), jitter: jitter)
            #expect(lifespan.total == Int64(lifetime * 1e9))
            #expect(lifespan.usable == lifespan.total - min(Int64(reserve * 1e9), lifespan.total / 2))
            #expect((0...lifespan.usable).contains(lifespan.fresh))
        }
    }

    @Test(
        "A short-lived value is usable and costs few fetches",
        .tags(.b21),
        arguments: [1, 2, 10, 60, 300, 600, 3_600] as [Seconds],
        [30, 300, 86_400] as [Seconds]
    )
    func shortLivedValueIsUsableAndCostsFewFetches(_ lifetime: Seconds, _ reserve: Seconds) async throws {
        let harness = Harness { $0.minimumRemaining = reserve }
        // A hundred calls in each of three lifetimes.
        for _ in 0..<300 {
            if harness.cache.cachedValue(for: "a") == nil {
                try await harness.fill(lifetime: lifetime)
                #expect(harness.cache.cachedValue(for: "a") == 1)
            } else {
                #expect(await harness.call().value == 1)
            }
            while harness.log.ends < harness.log.starts {
                await harness.source.next().succeed(1, lifetime: lifetime)
                await harness.log.wait(forEnds: harness.log.starts)
            }
            harness.time.advance(by: lifetime / 100)
        }
        // Each value is fresh for three tenths of its life at least.
        #expect((3...11).contains(harness.source.started))
    }

    @Test("Each caller has its own timeout", .tags(.b22))
    func eachCallerHasItsOwnTimeout() async throws {
        let harness = Harness { $0.callTimeout = 5 }
        let first = await harness.caller()
        harness.time.advance(by: 3)
        let second = await harness.caller()
        harness.time.advance(by: 2)
        #expect(await first.failure?.code == .timedOut)
        harness.time.advance(by: 2.9)
        await harness.source.next().succeed(1)
        #expect(try await second.value == 1)
        // A caller may hear of its result before its timer is gone; the watchdog bounds the wait.
        while harness.time.timeouts > 0 { await Task.yield() }
    }

    @Test("A fetch that outlasts the refresh window still counts", .tags(.b29))
    func fetchThatOutlastsTheRefreshWindowStillCounts() async throws {
        let harness = Harness { $0.fetchTimeout = 500 }
        try await harness.fill()
        harness.time.advance(by: 770)
        #expect(await harness.call().value == 1)
        let refresh = await harness.source.next()
        harness.time.advance(by: 400)
        refresh.succeed(2)
        await harness.log.wait(forEnds: 2)
        #expect(harness.cache.cachedValue(for: "a") == 2)
        // Its age counts from when the fetch began.
        harness.time.advance(by: 569)
        #expect(harness.cache.cachedValue(for: "a") == 2)
        harness.time.advance(by: 1)
        #expect(harness.cache.cachedValue(for: "a") == nil)
    }

    @Test(
        "A value that had expired on arrival is a failure",
        .tags(.b35),
        arguments: [0, -1, -.infinity, .nan, 1e-10] as [Seconds]
    )
    func valueThatCameExpiredIsAFailure(_ lifetime: Seconds) async throws {
        let harness = Harness()
        let caller = await harness.caller()
        await harness.source.next().succeed(1, lifetime: lifetime)
        #expect(await caller.failure?.code == .alreadyExpired)
        #expect(harness.cache.count == 0)
        #expect(await harness.call().code == .alreadyExpired)
        #expect(harness.log.starts == 1)
        harness.time.advance(by: 1)
        #expect(try await harness.fill(with: 2) == 2)
    }

    @Test("A caller can require more remaining time", .tags(.b36))
    func callerCanAskForMoreTime() async throws {
        let harness = Harness()
        try await harness.fill()
        harness.time.advance(by: 100)
        #expect(harness.cache.cachedValue(for: "a", validFor: 900) == 1)
        #expect(harness.cache.cachedValue(for: "a", validFor: 900.5) == nil)
        let demanding = await harness.caller(validFor: 950)
        #expect(await harness.call().value == 1)
        let fetch = await harness.source.next()
        #expect(fetch.reason == .insufficient)
        fetch.succeed(2)
        #expect(try await demanding.value == 2)
        #expect(await harness.call().value == 2)
    }

    @Test("Every call ends", .tags(.b39), arguments: [0, 5, 30] as [Seconds])
    func everyCallEnds(limit: Seconds) async throws {
        let harness = Harness { $0.callTimeout = limit }
        let caller = await harness.caller()
        harness.time.advance(by: min(limit, 10))
        #expect(await caller.failure?.code == (limit < 10 ? .timedOut : .fetchTimedOut))
    }
}
