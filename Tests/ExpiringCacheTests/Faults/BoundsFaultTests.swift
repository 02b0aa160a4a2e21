import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("The cache's bounds", .watchdog(seconds: 30))
struct BoundsFaultTests {
    @Test("Many keys don't grow the cache", .tags(.b16))
    func manyKeysDontGrowTheCache() async throws {
        let harness = Harness { $0.capacity = 100 }
        for key in 0..<100_000 { harness.cache.insert(Fetched(key, lifetime: 1_000), for: "\(key)") }
        #expect(harness.cache.count == 100)
    }

    @Test("Many failed keys don't grow the cache", .tags(.b16))
    func manyFailedKeysDontGrowTheCache() async throws {
        var configuration = CacheConfiguration()
        configuration.capacity = 100
        var state = CacheState<Int, Int>(configuration)
        let now = Instant(continuous: 0, wall: 0)
        for key in 0..<10_000 {
            let plan = try #require(state.handle(.refresh(key), at: now, jitter: 0).starts.first)
            _ = state.handle(.fail(plan, TestError.permanent, .permanent), at: now, jitter: 0)
        }
        #expect(state.gates.slots.count == 100)
        #expect(state.flights.isEmpty && state.abandoned.ends.isEmpty)
    }

    @Test("A value is not evicted while its refresh runs", .tags(.b16))
    func valueIsNotEvictedWhileItsRefreshRuns() async throws {
        let harness = Harness { $0.capacity = 1 }
        try await harness.fill("a")
        harness.time.advance(by: 800)
        #expect(await harness.call("a").value == 1)
        let refresh = await harness.source.next()
        for key in 0..<10 { harness.cache.insert(Fetched(0, lifetime: 1_000), for: "\(key)") }
        #expect(harness.cache.cachedValue(for: "a") == 1)
        #expect(harness.cache.count == 2)
        refresh.succeed(2)
        await harness.log.wait(forEnds: 2)
        #expect(harness.cache.count == 1)
    }

    @Test("A fetch that is given up is cancelled", .tags(.b43), arguments: [true, false])
    func fetchThatIsGivenUpIsCancelled(_ isTimeout: Bool) async throws {
        let time = TestClock()
        let started = Journal<Void>()
        let cancelled = Journal<Void>()
        let cache = ExpiringCache<String, Int>(
            clock: time.cache,
            scheduler: time.scheduler,
            fetch: { _, _ in
                await withTaskCancellationHandler {
                    started.append(())
                    await cancelled.wait(for: 1)
                } onCancel: {
                    cancelled.append(())
                }
                return Fetched(1, lifetime: 60)
            }
        )
        cache.prefetch(["a"])
        await started.wait(for: 1)
        if isTimeout { time.advance(by: 10) } else { cache.removeAll() }
        await cancelled.wait(for: 1)
        // A caller may hear of its result before its timer is gone; the watchdog bounds the wait.
        while time.timeouts > 0 { await Task.yield() }
    }

    @Test("Fetches that never end are bounded", .tags(.b43))
    func fetchesThatNeverEndAreBounded() async throws {
        let harness = Harness { $0.abandonedFetchLifetime = .infinity }
        var hung: [TestSource.Fetch] = []
        for _ in 0..<3 {
            let caller = await harness.caller()
            hung.append(await harness.source.next())
            harness.time.advance(by: 60)
            #expect(await caller.failure?.code == .fetchTimedOut)
        }
        #expect(await harness.call().code == .stuck)
        #expect(harness.source.started == 3)
        hung[1].fail()
        await harness.drain(to: 2)
        #expect(try await harness.fill() == 1)
    }

    @Test("Nothing outlives the cache", .tags(.b46))
    func nothingOutlivesTheCache() async throws {
        let time = TestClock()
        let wasCancelled = Journal<Void>()
        let started = Journal<Void>()
        weak var released: ExpiringCache<String, Int>?
        do {
            let cache = ExpiringCache<String, Int>(
                clock: time.cache,
                scheduler: time.scheduler,
                fetch: { _, _ in
                    await withTaskCancellationHandler {
                        started.append(())
                        await wasCancelled.wait(for: 1)
                    } onCancel: {
                        wasCancelled.append(())
                    }
                    return Fetched(1, lifetime: 60)
                }
            )
            released = cache
            cache.prefetch(["a"])
            await started.wait(for: 1)
            while time.timeouts == 0 { await Task.yield() }
        }
        #expect(released == nil)
        #expect(time.timeouts == 0)
        await wasCancelled.wait(for: 1)
    }

    @Test("Answered callers leave nothing behind", .tags(.b46))
    func answeredCallersLeaveNothingBehind() async throws {
        let harness = Harness()
        try await harness.fill("a")
        await harness.fail("b")
        let cancelled = await harness.caller(for: "c")
        cancelled.cancel()
        _ = await cancelled.result
        await harness.source.next().succeed(1)
        await harness.log.wait(forEnds: 3)
        // The last caller may hear of its answer before its timer is gone; the suite's watchdog bounds the wait.
        while harness.time.timeouts > 0 { await Task.yield() }
        #expect(harness.cache.core.withLock { $0.waiters.isEmpty && $0.fetches.isEmpty && $0.state.flights.isEmpty })
    }
}
