import Foundation
import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("Values that come, or are taken, late", .watchdog)
struct LatenessFaultTests {
    // MARK: - An actor that is busy

    /// Lets a caller's fetch bring a value while the main actor, which the caller waits on, stays busy.
    @MainActor
    private func fetch(_ value: Int, _ harness: Harness) async {
        let ends = harness.log.ends
        let fetch = await harness.source.next()
        // From here on the actor is busy, until this returns and the test waits.
        fetch.succeed(value)
        while harness.log.ends == ends { sched_yield() }
    }

    @MainActor
    private func call(_ harness: Harness) -> Task<Int, any Error> {
        Task { @MainActor in try await harness.cache.value(for: "a") }
    }

    @MainActor
    @Test("A busy actor resumes without an expired value", .tags(.b57))
    func actorThatWasBusyTakesNoExpiredValue() async throws {
        let harness = Harness()
        let call = call(harness)
        await fetch(1, harness)
        harness.time.advance(by: 2_000)
        await harness.source.next().succeed(2)
        #expect(try await call.value == 2)
    }

    @MainActor
    @Test("An actor that is always busy gets an error, and nothing loops", .tags(.b57))
    func actorThatIsAlwaysBusyGetsAnErrorAndNoLoop() async throws {
        let harness = Harness()
        let call = call(harness)
        for value in 1...2 {
            await fetch(value, harness)
            harness.time.advance(by: 2_000)
        }
        #expect(await call.failure?.code == .timedOut)
        #expect(harness.log.starts == 2)
    }

    @MainActor
    @Test("A busy actor resumes with a value that was evicted, and not with one that was removed", .tags(.b57))
    func actorThatWasBusyTakesNoRemovedValue() async throws {
        let harness = Harness { $0.capacity = 1 }
        let evicted = call(harness)
        await fetch(1, harness)
        harness.cache.insert(Fetched(2, lifetime: 1_000), for: "b")
        #expect(try await evicted.value == 1)
        let removed = call(harness)
        await fetch(3, harness)
        harness.cache.removeAll()
        harness.cache.insert(Fetched(5, lifetime: 1_000), for: "a")
        #expect(await removed.failure?.code == .removed)
    }

    // MARK: - A process that was stopped, or a clock that was set

    enum End: CaseIterable {
        case value, failure, timeout, nextCaller
    }

    @Test("A fetch that slept is repeated for waiting callers", .tags(.b58), arguments: End.allCases, [true, false])
    func fetchThatSleptIsRepeatedForThoseWhoWait(_ end: End, _ isStop: Bool) async throws {
        let harness = Harness { $0.callTimeout = .infinity }
        let caller = await harness.caller()
        let fetch = await harness.source.next()
        // The timer of the fetch is set after the fetch has begun.
        while harness.time.timeouts == 0 { await Task.yield() }
        if isStop || end == .timeout {
            harness.time.stop(for: 7_200)
        } else {
            harness.time.setWallClock(by: 86_400)
        }
        switch end {
        case .value: fetch.succeed(1)
        case .failure: fetch.fail()
        case .timeout: harness.time.advance(by: 0)
        case .nextCaller: harness.cache.prefetch(["a"])
        }
        await harness.source.next().succeed(2)
        #expect(try await caller.value == 2)
        #expect(await harness.call().value == 2)
        #expect(harness.source.started == 2)
    }

    @Test("A source slower than its values' lifetime is called twice and no more", .tags(.b58))
    func sourceThatIsSlowerThanItsValuesLiveIsAskedTwiceAndNoMore() async throws {
        let harness = Harness()
        let caller = await harness.caller()
        for _ in 0..<2 {
            let fetch = await harness.source.next()
            harness.time.advance(by: 6)
            fetch.succeed(1, lifetime: 5)
        }
        #expect(await caller.failure?.code == .alreadyExpired)
        #expect(await harness.call().code == .alreadyExpired)
        #expect(harness.source.started == 2)
    }
}
