import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("A source that fails", .watchdog)
struct FailureFaultTests {
    struct OtherError: Error {}

    static let failures: [any Error] = [
        TestError.retryable, TestError.retryableAfter(60), TestError.permanent, OtherError(), CancellationError(),
    ]

    @Test("After any failure the next fetch succeeds", .tags(.b1), arguments: failures)
    func noFailureIsForEver(_ error: any Error) async throws {
        let harness = Harness()
        for _ in 0..<20 {
            #expect(await harness.fail(with: error) != nil)
            harness.time.advance(by: 3_700)
        }
        #expect(try await harness.fill(with: 2) == 2)
    }

    @Test("After timeouts and expired values the next fetch succeeds", .tags(.b1))
    func neitherTimeoutsNorExpiredValuesAreForEver() async throws {
        let harness = Harness()
        let caller = await harness.caller()
        let fetch = await harness.source.next()
        harness.time.advance(by: 10)
        #expect(await caller.failure?.code == .fetchTimedOut)
        fetch.succeed(1)
        await harness.drain()
        harness.time.advance(by: 60)
        let second = await harness.caller()
        await harness.source.next().succeed(2, lifetime: 0)
        #expect(await second.failure?.code == .alreadyExpired)
        harness.time.advance(by: 60)
        #expect(try await harness.fill(with: 3) == 3)
    }

    @Test("An outage within the refresh window goes unnoticed", .tags(.b10), arguments: [0, 0.5, 1])
    func outageWithinTheRefreshWindowGoesUnnoticed(_ jitter: Double) async throws {
        let harness = Harness(jitter: jitter)
        try await harness.fill()
        harness.time.advance(by: 770)
        // 200 seconds remain: the window, but for the moment at which the value may no longer be handed out.
        for _ in 0..<199 {
            #expect(await harness.call().value == 1)
            try await failWhateverStarted(harness)
            harness.time.advance(by: 1)
        }
        #expect(harness.source.started > 5)
        #expect(await harness.call().value == 1)
    }

    @Test("A refresh ahead goes on after a failure", .tags(.b11))
    func refreshAheadGoesOnAfterAFailure() async throws {
        let harness = Harness()
        try await harness.fill()
        harness.time.advance(by: 800)
        #expect(await harness.call().value == 1)
        try await failWhateverStarted(harness)
        #expect(await harness.call().value == 1)
        #expect(harness.log.starts == 2)
        harness.time.advance(by: 1)
        #expect(await harness.call().value == 1)
        await harness.source.next().succeed(2)
        await harness.log.wait(forEnds: 3)
        #expect(harness.cache.cachedValue(for: "a") == 2)
    }

    /// Whatever the failure is: one that the source reports, or none in time.
    @Test("A value's own retry interval ends with the value", .tags(.b11), arguments: [true, false])
    func aValuesOwnRetryIntervalEndsWithTheValue(isReported: Bool) async throws {
        let harness = Harness()
        harness.cache.insert(Fetched(1, lifetime: 1_000, retryInterval: 600), for: "a")
        for _ in 0..<3 {
            harness.time.advance(by: 200)
            #expect(await harness.call().value == 1)
        }
        harness.time.advance(by: 200)
        #expect(await harness.call().value == 1)
        let refresh = await harness.source.next()
        if isReported { refresh.fail() } else { harness.time.advance(by: 10) }
        await harness.log.wait(forEnds: 1)
        // No hurry while the value can be used.
        for _ in 0..<7 {
            harness.time.advance(by: 20)
            #expect(await harness.call().value == 1)
            #expect(await harness.call(validFor: 900).code != nil)
        }
        #expect(harness.log.starts == 1)
        harness.time.advance(by: 60)
        // Without it there is, and backoff begins at its beginning.
        let error = await harness.fail()
        #expect(error?.retryAfter == 0.25)
        #expect(harness.log.starts == 2)
    }

    @Test("A requested pause holds, regardless of the value", .tags(.b45))
    func aSourceThatAskedToBeLeftAloneIsWhateverTheValueSays() async throws {
        let harness = Harness()
        harness.cache.insert(Fetched(1, lifetime: 1_000, retryInterval: 10), for: "a")
        harness.time.advance(by: 960)
        #expect(await harness.call().value == 1)
        await harness.source.next().fail(TestError.retryableAfter(60))
        await harness.log.wait(forEnds: 1)
        harness.time.advance(by: 30)
        #expect(await harness.call().code == .unavailable)
        #expect(harness.log.starts == 1)
    }

    @Test("A valid value is served while its refresh runs, and after it failed", .tags(.b12, .b30))
    func failingRefreshNeverBlocksCallers() async throws {
        let harness = Harness()
        try await harness.fill()
        harness.time.advance(by: 800)
        #expect(await harness.call().value == 1)
        let refresh = await harness.source.next()
        // It takes nine seconds to fail, and callers go on meanwhile.
        for _ in 0..<9 {
            harness.time.advance(by: 1)
            #expect(await harness.call().value == 1)
            #expect(harness.cache.cachedValue(for: "a") == 1)
        }
        refresh.fail()
        await harness.log.wait(forEnds: 2)
        #expect(await harness.call().value == 1)
        #expect(harness.log.starts == 2)
        #expect(harness.log.waits == 1)
    }

    @Test("One failure resumes ten thousand waiters", .tags(.b31))
    func oneFailureAnswersTenThousandWaiters() async throws {
        let harness = Harness { $0.callTimeout = .infinity }
        let callers = (0..<10_000).map { _ in Task { try await harness.cache.value(for: "a") } }
        while harness.cache.core.withLock({ $0.waiters.count }) < 10_000 { await Task.yield() }
        await harness.source.next().fail()
        for caller in callers { #expect(await caller.failure?.code == .unavailable) }
        #expect(harness.source.started == 1)
        #expect(harness.cache.core.withLock { $0.waiters.isEmpty && $0.fetches.isEmpty })
    }

    @Test("Nothing is fetched twice for one call", .tags(.b33))
    func nothingIsFetchedTwiceForOneCall() async {
        let harness = Harness()
        await harness.fail()
        harness.time.advance(by: 86_400)
        #expect(harness.log.starts == 1)
        // A caller may hear of its result before its timer is gone; the watchdog bounds the wait.
        while harness.time.timeouts > 0 { await Task.yield() }
    }

    @Test("A requested pause holds for its whole length", .tags(.b37))
    func sourceIsLeftAloneForAsLongAsItAsks() async throws {
        let harness = Harness()
        let error = await harness.fail(with: TestError.retryableAfter(60))
        let retryAfter = try #require(error?.retryAfter)
        #expect((60...60.5).contains(retryAfter))
        harness.time.advance(by: 59.9)
        harness.cache.removeAll()
        harness.cache.prefetch(["a"])
        let refusal = await harness.call()
        #expect(refusal.code == .unavailable)
        #expect(harness.log.starts == 1)
        harness.time.advance(by: retryAfter - 59.9 + 0.001)
        #expect(try await harness.fill() == 1)
    }

    @Test("A value is served after a denial but not beyond its time", .tags(.b38))
    func valueIsServedAfterADenialButNotBeyondItsTime() async throws {
        let harness = Harness()
        try await harness.fill()
        harness.time.advance(by: 800)
        #expect(await harness.call().value == 1)
        await harness.source.next().fail(TestError.permanent)
        await harness.log.wait(forEnds: 2)
        for _ in 0..<29 {
            harness.time.advance(by: 1)
            #expect(await harness.call().value == 1)
        }
        #expect(harness.log.starts == 2)
        harness.time.advance(by: 200)
        await harness.fail(with: TestError.permanent)
        for _ in 0..<29 {
            harness.time.advance(by: 1)
            #expect(await harness.call().code == .denied)
        }
        #expect(harness.log.starts == 3)
    }

    @Test(
        "A Retry-After is clamped",
        .tags(.b45),
        arguments: [
            (0, 0), (60, 60), (3_600, 3_600), (-1, 0), (1e9, 3_600), (.infinity, 3_600), (-.infinity, 0), (.nan, 0),
            (1e300, 3_600), (1e-12, 0),
        ] as [(Seconds, Seconds)]
    )
    func retryAfterStaysWithinBounds(_ asked: Seconds, _ granted: Seconds) {
        let rules = CacheRules(CacheConfiguration())
        #expect(rules.retryAfter(.retryable(after: asked)) == Int64(granted * 1e9))
    }

    @Test("Attempts don't depend on the rate of calls", .tags(.b47))
    func attemptsDontDependOnTheRateOfCalls() async throws {
        let harness = Harness()
        var moments: [Int] = []
        // Ten calls a second for ten minutes, while the source is away.
        for tenth in 0..<6_000 {
            harness.cache.prefetch(["a"])
            if harness.log.starts > moments.count { moments.append(tenth) }
            try await failWhateverStarted(harness)
            harness.time.advance(by: 0.1)
        }
        let pauses = zip(moments.dropFirst(), moments).map { $0 - $1 }
        #expect(pauses.prefix(8) == [3, 5, 10, 20, 40, 80, 150, 150])
        #expect(pauses.dropFirst(6).allSatisfy { $0 == 150 })
    }

    private func failWhateverStarted(_ harness: Harness) async throws {
        while harness.log.ends < harness.log.starts {
            let ends = harness.log.ends
            await harness.source.next().fail()
            await harness.log.wait(forEnds: ends + 1)
        }
    }
}
