import TestTime
import TestTraits
import Testing

@testable import ExpiringCache

@Suite("Values that callers drop", .watchdog)
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

    @Test("Hits are reported only to observers that want them")
    func hitsAreToldOnlyToObserversWhoWantThem() async throws {
        let events = EventLog()
        let cache = ExpiringCache<String, Int>(observer: { events.append($0) }, observesHits: false) { _, _ in
            Fetched(1, lifetime: 1_000)
        }
        _ = try await cache.value(for: "a")
        _ = try await cache.value(for: "a")
        _ = cache.cachedValue(for: "a")
        cache.remove("a")
        cache.removeAll()
        #expect(!events.entries.contains { $0.name == .hit })
        #expect(events.entries.contains { $0.name == .removed && $0.key == "a" })
        #expect(events.entries.contains { $0.name == .removed && $0.key == nil })
    }
}
