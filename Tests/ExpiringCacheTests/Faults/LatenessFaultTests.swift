import Foundation
import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

/// Values that come, or are taken, much later than they were sent.
///
/// The numbers are those of `docs/token-cache.md`.
@Suite(.watchdog)
struct LatenessFaultTests {
    // MARK: - A queue that is blocked

    /// A queue that runs what it was given when the test says so.
    private final class BlockedQueue: Sendable {
        private let work = Lock<[@Sendable () -> Void]>([])

        var delivery: @Sendable (@escaping @Sendable () -> Void) -> Void {
            { work in self.work.withLock { $0.append(work) } }
        }

        var count: Int { work.withLock { $0.count } }

        /// Waits until there is something to run, and runs it.
        func run() async {
            while count == 0 { await Task.yield() }
            let work = work.withLock { work in
                defer { work = [] }
                return work
            }
            work.forEach { $0() }
        }
    }

    @Test("A value that expired before its delivery is fetched again", .tags(.b57), arguments: [true, false])
    func valueThatExpiredBeforeItsDeliveryIsFetchedAgain(_ isHit: Bool) async throws {
        let harness = Harness()
        let queue = BlockedQueue()
        let answers = Answers<Int>()
        if isHit { try await harness.fill() }
        harness.cache.value(for: "a", delivery: queue.delivery, completion: answers.note)
        if !isHit { await harness.source.next().succeed(1) }
        while queue.count == 0 { await Task.yield() }
        harness.time.advance(by: 2_000)
        await queue.run()
        await harness.source.next().succeed(2)
        await queue.run()
        #expect(try await answers.wait(for: 1).map { try $0.get() } == [2])
    }

    @Test("A queue that is always blocked gets an error, and nothing loops", .tags(.b57))
    func queueThatIsAlwaysBlockedGetsAnErrorAndNoLoop() async throws {
        let harness = Harness()
        let queue = BlockedQueue()
        let answers = Answers<Int>()
        harness.cache.value(for: "a", delivery: queue.delivery, completion: answers.note)
        for value in 1...2 {
            await harness.source.next().succeed(value)
            while queue.count == 0 { await Task.yield() }
            harness.time.advance(by: 2_000)
            await queue.run()
        }
        #expect(await answers.wait(for: 1).map { $0.cacheError?.code } == [.timedOut])
        #expect(harness.log.starts == 2)
    }

    @Test("A value that was removed before its delivery is not delivered", .tags(.b57))
    func valueThatWasRemovedBeforeItsDeliveryIsNotDelivered() async throws {
        let harness = Harness()
        let queue = BlockedQueue()
        let answers = Answers<Int>()
        try await harness.fill()
        harness.cache.value(for: "a", delivery: queue.delivery, completion: answers.note)
        harness.cache.removeAll()
        harness.cache.insert(Fetched(5, lifetime: 1_000), for: "a")
        await queue.run()
        #expect(await answers.wait(for: 1).map { $0.cacheError?.code } == [.removed])
    }

    @Test("A value that is still good is delivered", .tags(.b57))
    func valueThatIsStillGoodIsDelivered() async throws {
        let harness = Harness { $0.capacity = 1 }
        let queue = BlockedQueue()
        let answers = Answers<Int>()
        try await harness.fill()
        harness.cache.value(for: "a", delivery: queue.delivery, completion: answers.note)
        // Evicted, but none the worse for it.
        harness.cache.insert(Fetched(2, lifetime: 1_000), for: "b")
        #expect(harness.cache.cachedValue(for: "a") == nil)
        await queue.run()
        #expect(try await answers.wait(for: 1).map { try $0.get() } == [1])
        // Replaced: the newer one is better.
        harness.cache.value(for: "b", delivery: queue.delivery, completion: answers.note)
        harness.cache.insert(Fetched(3, lifetime: 1_000), for: "b")
        await queue.run()
        #expect(try await answers.wait(for: 2).map { try $0.get() } == [1, 3])
        #expect(harness.log.starts == 1)
    }

    @MainActor
    @Test("A busy actor resumes without an expired value", .tags(.b57))
    func actorThatWasBusyTakesNoExpiredValue() async throws {
        let harness = Harness()
        let call = Task { @MainActor in try await harness.cache.value(for: "a", timeout: .infinity) }
        let fetch = await harness.source.next()
        // From here on the actor is busy.
        fetch.succeed(1)
        while harness.log.ends == 0 { sched_yield() }
        harness.time.advance(by: 2_000)
        await harness.source.next().succeed(2)
        #expect(try await call.value == 2)
    }

    // MARK: - A process that was stopped, or a clock that was set

    enum End: CaseIterable {
        case value, failure, timeout, nextCaller
    }

    @Test("A fetch that slept is repeated for waiting callers", .tags(.b58), arguments: End.allCases, [true, false])
    func fetchThatSleptIsRepeatedForThoseWhoWait(_ end: End, _ isStop: Bool) async throws {
        let harness = Harness()
        let caller = await harness.caller(timeout: .infinity)
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
        let caller = await harness.caller(timeout: .infinity)
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
