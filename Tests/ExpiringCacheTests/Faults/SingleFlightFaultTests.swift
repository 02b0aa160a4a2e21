import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("One fetch at a time per key", .watchdog)
struct SingleFlightFaultTests {
    @Test("A thousand cold callers cost one fetch, however often it suspends", .tags(.b5, .b6), arguments: [0, 1_000])
    func thousandColdCallersCostOneFetch(suspensions: Int) async throws {
        let fetches = Lock(0)
        let cache = ExpiringCache<String, Int>(configuration: .patient) { _, _ in
            fetches.withLock { $0 += 1 }
            for _ in 0..<suspensions { await Task.yield() }
            return Fetched(1, lifetime: 60)
        }
        let callers = (0..<1_000).map { _ in Task.detached { try await cache.value(for: "a") } }
        for caller in callers { #expect(try await caller.value == 1) }
        #expect(fetches.withLock { $0 } == 1)
    }

    @Test("A caller who missed just before a result starts no second fetch", .tags(.b7))
    func callerWhoMissedJustBeforeAResultStartsNoSecondFetch() {
        var state = CacheState<String, Int>(CacheConfiguration())
        let now = Instant(continuous: 0, wall: 0)
        let plan = state.handle(.refresh("a"), at: now, jitter: 0).starts[0]
        guard case .miss = state.lookUp("a", needing: 0, at: now, { $0 }) else {
            Issue.record("There is no value yet")
            return
        }
        // Here the result comes, and only then does the caller take the lock again.
        _ = state.handle(.succeed(plan, Fetched(1, lifetime: 60)), at: now, jitter: 0)
        let waiter = state.nextID()
        let effects = state.handle(.request(.init(key: "a", waiter: waiter)), at: now, jitter: 0)
        #expect(effects.starts.isEmpty)
        #expect(effects.answers.map(\.waiter) == [waiter])
        #expect(effects.answers.allSatisfy { (try? $0.result.get())?.value == 1 })
    }

    @Test("A caller that gets a value finds it in the cache", .tags(.b8))
    func callerFindsItsValueInTheCache() async throws {
        let cache = ExpiringCache<Int, Int>(configuration: .patient) { key, _ in Fetched(key, lifetime: 60) }
        for key in 0..<500 {
            let caller = Task.detached { (try await cache.value(for: key), cache.cachedValue(for: key)) }
            let (value, cached) = try await caller.value
            #expect(value == cached)
        }
    }

    @Test("Keys with the same hash stay apart", .tags(.b14))
    func keysWithTheSameHashStayApart() async throws {
        struct Key: Hashable {
            let name: String
            func hash(into hasher: inout Hasher) {}
        }
        let cache = ExpiringCache<Key, String>(configuration: .patient) { key, _ in Fetched(key.name, lifetime: 60) }
        let names = ["ab", "a", "b", "", "\0", "a/b", "a\0b", "e\u{301}x", "1", "01"]
        for name in names { #expect(try await cache.value(for: Key(name: name)) == name) }
        for name in names { #expect(cache.cachedValue(for: Key(name: name)) == name) }
    }

    @Test("A hung key doesn't hold up others", .tags(.b44))
    func hungKeyDoesntHoldUpOthers() async throws {
        let harness = Harness()
        var hung: [Task<Int, any Error>] = []
        for _ in 0..<100 { hung.append(await harness.caller(for: "a")) }
        _ = await harness.source.next()
        for key in ["b", "c", "d"] { #expect(try await harness.fill(key, with: 1) == 1) }
        harness.cache.removeAll()
        for caller in hung { #expect(await caller.failure?.code == .removed) }
    }
}
