import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("The queue of fetches", .watchdog)
struct TurnFaultTests {
    private static func harness(limit: Int) -> Harness {
        Harness { configuration in
            configuration.maximumConcurrentFetches = limit
        }
    }

    @Test("No more fetches run than the limit", .tags(.b56))
    func notMoreFetchesRunThanMay() async throws {
        let harness = Self.harness(limit: 2)
        var callers: [Task<Int, any Error>] = []
        for key in 0..<10 { callers.append(await harness.caller(for: "\(key)")) }
        for number in 0..<10 {
            let fetch = await harness.source.next()
            // One runs beside it, unless it is the last.
            #expect(harness.source.started <= number + 2)
            // Two that run at the same time may come in any order.
            let key = try #require(Int(fetch.key))
            #expect(key <= number + 1)
            fetch.succeed(key)
            #expect(try await callers[key].value == key)
        }
    }

    @Test("The timeout and the lifetime begin when the fetch starts", .tags(.b56))
    func timeoutAndLifeBeginWithTheTurn() async throws {
        let harness = Self.harness(limit: 1)
        let first = await harness.caller(for: "a")
        let second = await harness.caller(for: "b")
        let running = await harness.source.next()
        harness.time.advance(by: 9)
        running.succeed(1)
        #expect(try await first.value == 1)
        let waited = await harness.source.next()
        harness.time.advance(by: 9)
        #expect(waited.key == "b")
        waited.succeed(2, lifetime: 20)
        // Half of its life is kept back: had its age begun with the call, nothing would be left.
        #expect(try await second.value == 2)
    }

    @Test("Fetches with waiting callers start before refreshes", .tags(.b56))
    func callersGoBeforeRefreshes() async throws {
        let harness = Self.harness(limit: 1)
        harness.cache.prefetch(["a", "b", "c"])
        let running = await harness.source.next()
        _ = await harness.caller(for: "d")
        _ = await harness.caller(for: "c")
        running.succeed(1)
        var order: [String] = []
        for _ in 0..<3 {
            let fetch = await harness.source.next()
            order.append(fetch.key)
            fetch.succeed(1)
        }
        #expect(order == ["c", "d", "b"])
    }

    @Test("A nested fetch of another key needs no slot", .tags(.b56))
    func fetchThatNeedsAnotherKeyDoesntWaitForItsOwnTurn() async throws {
        let reference = ReentrancyFaultTests.Reference()
        var configuration = CacheConfiguration.patient
        configuration.maximumConcurrentFetches = 1
        let cache = ExpiringCache<String, Int>(configuration: configuration) { key, _ in
            guard key.utf8.count < 4 else { return Fetched(1, lifetime: 60) }
            return Fetched(try await reference.get().value(for: key + "a") + 1, lifetime: 60)
        }
        reference.set(cache)
        #expect(try await cache.value(for: "a") == 4)
    }

    @Test("A queued fetch without callers is dropped", .tags(.b56))
    func whatNobodyWaitsForAnyMoreIsDropped() async throws {
        let harness = Self.harness(limit: 1)
        harness.cache.prefetch((0..<1_000).map { "\($0)" })
        // One hangs for ten seconds, then the next; after thirty nobody can still want the rest.
        for second in 0...50 {
            while second % 10 == 0, second <= 30, harness.source.started <= second / 10 { await Task.yield() }
            harness.time.advance(by: 1)
        }
        #expect(harness.source.started == 4)
        #expect(harness.cache.core.withLock { $0.state.flights.isEmpty && $0.fetches.isEmpty })
        #expect(harness.log.ends == 1_000)
    }
}
