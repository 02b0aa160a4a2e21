import TestTraits
import Testing

@testable import ExpiringCache

/// Values that callers drop or replace on purpose.
@Suite(.watchdog)
struct KeepingTests {
    @Test func removedKeyIsFetchedAnewAndOthersStay() async throws {
        let harness = Harness()
        try await harness.fill("a", with: 1)
        try await harness.fill("b", with: 2)
        harness.cache.remove("a")
        #expect(harness.cache.cachedValue(for: "a") == nil)
        #expect(harness.cache.cachedValue(for: "b") == 2)
        #expect(try await harness.fill("a", with: 3) == 3)
    }

    @Test func removingAKeyEndsItsFetchAndWaitersOnly() async throws {
        let harness = Harness()
        let caller = await harness.caller(for: "a")
        let other = await harness.caller(for: "b")
        let fetches = [await harness.source.next(), await harness.source.next()]
        harness.cache.remove("a")
        #expect(await caller.failure?.code == .removed)
        for fetch in fetches { fetch.succeed(fetch.key == "a" ? 1 : 2) }
        #expect(try await other.value == 2)
        await harness.drain()
        #expect(harness.cache.cachedValue(for: "a") == nil)
    }

    @Test func removingAKeyEndsItsDenial() async throws {
        let harness = Harness()
        await harness.fail(with: TestError.permanent)
        #expect(await harness.call().code == .denied)
        harness.cache.remove("a")
        #expect(try await harness.fill(with: 1) == 1)
    }

    @Test func removingAKeyKeepsItsPause() async {
        let harness = Harness()
        await harness.fail(with: TestError.retryable)
        harness.cache.remove("a")
        #expect(await harness.call().code == .unavailable)
    }

    @Test func removingAKeyIsNoWayRoundTheBoundOfHungFetches() async {
        let harness = Harness()
        for _ in 0..<3 {
            let caller = await harness.caller()
            _ = await harness.source.next()
            harness.cache.remove("a")
            #expect(await caller.failure?.code == .removed)
        }
        #expect(await harness.call().code == .stuck)
    }

    @Test func forcedCallFetchesAlthoughThereIsAValue() async throws {
        let harness = Harness()
        try await harness.fill(with: 1)
        let forced = Task { try await harness.cache.value(for: "a", isForced: true) }
        let fetch = await harness.source.next()
        #expect(fetch.context.reason == .forced)
        // Others go on getting what there is.
        #expect(await harness.call().value == 1)
        fetch.succeed(2)
        #expect(try await forced.value == 2)
        #expect(await harness.call().value == 2)
    }

    @Test func forcedCallJoinsTheFetchThatRuns() async throws {
        let harness = Harness()
        let waits = harness.log.waits
        let caller = await harness.caller()
        let forced = Task { try await harness.cache.value(for: "a", isForced: true) }
        await harness.log.wait(forWaits: waits + 2)
        await harness.source.next().succeed(1)
        #expect(try await caller.value == 1)
        #expect(try await forced.value == 1)
        #expect(harness.source.started == 1)
    }

    @Test func forcedCallsKeepThePauseAfterAFailure() async throws {
        let harness = Harness()
        try await harness.fill(with: 1)
        let forced = Task { try await harness.cache.value(for: "a", isForced: true) }
        await harness.source.next().fail()
        #expect(await forced.failure?.code == .unavailable)
        let again = Task { try await harness.cache.value(for: "a", isForced: true) }
        #expect(await again.failure?.code == .unavailable)
        #expect(harness.source.started == 2)
        #expect(await harness.call().value == 1)
    }

    @Test func hitsAreToldOnlyToObserversWhoWantThem() async throws {
        let events = EventLog()
        let cache = ExpiringCache<String, Int>(observer: { events.note($0) }, observesHits: false) { _, _ in
            Fetched(1, lifetime: 1_000)
        }
        _ = try await cache.value(for: "a")
        _ = try await cache.value(for: "a")
        _ = cache.cachedValue(for: "a")
        cache.remove("a")
        cache.removeAll()
        #expect(!events.events.contains { $0.name == .hit })
        #expect(events.events.contains { $0.name == .removed && $0.key == "a" })
        #expect(events.events.contains { $0.name == .removed && $0.key == nil })
    }
}
