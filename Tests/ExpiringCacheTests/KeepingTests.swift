import TestTraits
import Testing

@testable import ExpiringCache

/// Values that callers drop or replace on purpose.
@Suite(.watchdog)
struct KeepingTests {
    @Test("Removing a key ends its fetch and its waiters only")
    func removingAKeyEndsItsFetchAndWaitersOnly() async throws {
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

    @Test("Removing a key does not lift the limit on hanging fetches")
    func removingAKeyIsNoWayRoundTheBoundOfHungFetches() async {
        let harness = Harness()
        for _ in 0..<3 {
            let caller = await harness.caller()
            _ = await harness.source.next()
            harness.cache.remove("a")
            #expect(await caller.failure?.code == .removed)
        }
        #expect(await harness.call().code == .stuck)
    }

    @Test("A forced call joins the running fetch")
    func forcedCallJoinsTheFetchThatRuns() async throws {
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

    @Test("Hits are reported only to observers that want them")
    func hitsAreToldOnlyToObserversWhoWantThem() async throws {
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
