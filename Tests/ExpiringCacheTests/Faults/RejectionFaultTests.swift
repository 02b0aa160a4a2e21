import TestTime
import TestTraits
import Testing

@testable import ExpiringCache

@Suite("Values that must not come back", .watchdog)
struct RejectionFaultTests {
    @Test("A refresh from before a sign-out is dropped", .tags(.b26))
    func refreshFromBeforeASignOutIsDropped() async throws {
        let harness = Harness()
        try await harness.fill()
        harness.time.advance(by: 800)
        #expect(await harness.call().value == 1)
        let refresh = await harness.source.next()
        let task = try #require(harness.fetchTask())
        harness.cache.removeAll()
        #expect(harness.cache.count == 0)
        refresh.succeed(2)
        await task.value
        #expect(harness.cache.count == 0)
    }

    @Test("Many rejections of one value cost one fetch", .tags(.b27))
    func manyRejectionsOfOneValueCostOneFetch() async throws {
        let harness = Harness()
        try await harness.fill(with: 1)
        harness.time.advance(by: 60)
        await withTaskGroup { group in
            for _ in 0..<10 { group.addTask { _ = harness.cache.invalidate("a") { $0 == 1 } } }
        }
        let caller = await harness.caller()
        let fetch = await harness.source.next()
        #expect(fetch.reason == .rejected)
        fetch.succeed(2)
        #expect(try await caller.value == 2)
        // The slower ones of those who had the old value report it only now.
        for _ in 0..<10 { #expect(!harness.cache.invalidate("a") { $0 == 1 }) }
        #expect(await harness.call().value == 2)
        #expect(harness.source.started == 2)
    }

    @Test("Rejecting each new value does not loop")
    func rejectingEachNewValueDoesntBecomeALoop() async throws {
        let harness = Harness()
        var fetches = 0
        // A caller whose values are all refused, and who tries again ten times a second for a minute.
        for _ in 0..<600 {
            if harness.cache.cachedValue(for: "a") == nil {
                let before = harness.log.starts
                harness.cache.prefetch(["a"])
                if harness.log.starts > before {
                    fetches += 1
                    await harness.source.next().succeed(fetches)
                    await harness.log.wait(forEnds: fetches)
                }
            }
            if let value = harness.cache.cachedValue(for: "a") { harness.cache.invalidate("a") { $0 == value } }
            harness.time.advance(by: 0.1)
        }
        #expect((6...10).contains(fetches))
        #expect(await harness.call().code == .rejected)
    }

    @Test("A value that replaced the rejected one during the comparison stays")
    func valueThatWasReplacedDuringTheComparisonStays() async throws {
        let harness = Harness()
        try await harness.fill(with: 1)
        let dropped = harness.cache.invalidate("a") { value in
            harness.cache.insert(Fetched(2, lifetime: 60), for: "a")
            return value == 1
        }
        #expect(!dropped)
        #expect(harness.cache.cachedValue(for: "a") == 2)
    }
}
