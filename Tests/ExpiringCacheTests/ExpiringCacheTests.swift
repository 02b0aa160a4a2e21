import Foundation
import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("The cache's interface", .watchdog)
struct ExpiringCacheTests {
    @Test("A fetch is told its reason")
    func fetchKnowsWhyItRuns() async throws {
        let harness = Harness()
        harness.cache.prefetch(["a"])
        let first = await harness.source.next()
        #expect(first.reason == .missing)
        first.succeed(1)
        await harness.log.wait(forEnds: 1)
        harness.time.advance(by: 960)
        #expect(await harness.call().value == 1)
        let refresh = await harness.source.next()
        #expect(refresh.reason == .refreshAhead)
        refresh.succeed(2)
        await harness.log.wait(forEnds: 2)
        harness.time.advance(by: 2_000)
        harness.cache.prefetch(["a"])
        #expect(await harness.source.next().reason == .expired)
    }

    @Test("A prefetch fetches what is missing or due, and nothing else")
    func prefetchFetchesWhatIsMissingOrDueAndNothingElse() async throws {
        let harness = Harness()
        harness.cache.prefetch(["a", "b", "a"])
        for _ in 0..<2 { await harness.source.next().succeed(1) }
        await harness.log.wait(forEnds: 2)
        harness.cache.prefetch(["a", "b"])
        #expect(harness.log.starts == 2)
        harness.time.advance(by: 800)
        #expect(harness.cache.cachedValue(for: "a") == 1)
        #expect(harness.log.starts == 2)
        harness.cache.prefetch(["a"])
        #expect(await harness.source.next().reason == .refreshAhead)
        #expect(harness.log.waits == 0)
    }

    @Test("An inserted value is there at once; an expired one is ignored")
    func insertedValueIsThereAtOnce() async throws {
        let harness = Harness()
        harness.cache.insert(Fetched(5, lifetime: 1_000), for: "a")
        #expect(harness.cache.cachedValue(for: "a") == 5)
        harness.cache.insert(Fetched(6, lifetime: 0), for: "a")
        #expect(harness.cache.cachedValue(for: "a") == 5)
        #expect(harness.log.starts == 0)
    }

    @Test("An inserted value is not replaced by a fetch that began before")
    func insertedValueIsNotReplacedByAFetchThatBeganBefore() async throws {
        let harness = Harness()
        let caller = await harness.caller()
        harness.cache.insert(Fetched(5, lifetime: 1_000), for: "a")
        await harness.source.next().succeed(4)
        // Its caller gets the newest there is.
        #expect(try await caller.value == 5)
        #expect(harness.cache.cachedValue(for: "a") == 5)
    }

    @Test("Without refresh ahead, a value is fetched when the last one is too old")
    func refreshingAheadCanBeTurnedOff() async throws {
        let harness = Harness {
            $0.refreshAhead = 0
            $0.minimumRemaining = 0
        }
        try await harness.fill()
        harness.time.advance(by: 999.9)
        #expect(await harness.call().value == 1)
        #expect(harness.log.starts == 1)
        harness.time.advance(by: 0.1)
        #expect(try await harness.fill(with: 2) == 2)
    }

    @Test("The observer gets all events in order")
    func observerIsToldTheWholeStory() async throws {
        let harness = Harness { $0.capacity = 1 }
        try await harness.fill("a")
        _ = await harness.call("a")
        await harness.fail("b")
        harness.cache.insert(Fetched(1, lifetime: 60), for: "c")
        harness.cache.invalidate("c") { _ in true }
        harness.cache.prefetch(["c"])
        let story = harness.log.entries.map { event in
            [
                event.name.rawValue, event.key, event.reason?.rawValue, event.duration.map { "\($0)" },
                event.error?.description,
            ]
            .compactMap { $0 }.joined(separator: " ")
        }
        #expect(
            story == [
                "fetchStarted a missing", "wait a", "fetchFinished a missing 0.0", "hit a", "fetchStarted b missing",
                "wait b",
                "fetchFinished b missing 0.0 the fetch failed", "evicted a", "invalidated c",
                "fetchStarted c rejected",
            ]
        )
    }

    @Test("The description of an error has nothing of the source's error")
    func errorsDontShowWhatTheSourceThrew() async throws {
        struct Talkative: Error, CustomStringConvertible {
            let description = "the token was abc"
        }
        let harness = Harness()
        let error = try #require(await harness.fail(with: Talkative()))
        #expect(error.underlying is Talkative)
        #expect("\(error)" == "the fetch failed")
    }

    @MainActor
    @Test("A hit does not leave the caller's actor")
    func hitDoesntLeaveTheCallersActor() async throws {
        let wasOnMainThread = Lock<[Bool]>([])
        let cache = ExpiringCache<String, Int>(
            observer: { _ in
                let isMain = Thread.isMainThread
                wasOnMainThread.withLock { $0.append(isMain) }
            },
            fetch: { _, _ in Fetched(1, lifetime: 60) }
        )
        cache.insert(Fetched(1, lifetime: 60), for: "a")
        #expect(try await cache.value(for: "a") == 1)
        #expect(wasOnMainThread.withLock { $0 } == [Thread.isMainThread])
    }

}
