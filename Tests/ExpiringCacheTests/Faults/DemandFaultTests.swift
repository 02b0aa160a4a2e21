import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

/// Callers who ask for more than there is, and callers in more of a hurry than others.
///
/// The numbers are those of `docs/token-cache.md`.
@Suite(.watchdog(seconds: 60))
struct DemandFaultTests {
    @Test("A demand that the source cannot meet fails only that caller", .tags(.b51))
    func demandBeyondTheSourcesMeansIsThatCallersErrorOnly() async throws {
        let harness = Harness()
        try await demandTooMuch(harness)
        // Others get the value, its refresh, and a new one when it is gone.
        #expect(await harness.call().value == 1)
        harness.cache.invalidate("a") { _ in true }
        #expect(try await harness.fill(with: 2) == 2)
        try await demandTooMuch(harness, after: 60)
        harness.time.advance(by: 800)
        #expect(await harness.call().value == 1)
        #expect(await harness.source.next().context == FetchContext(reason: .refreshAhead, failures: 0))
    }

    @Test("Callers whose demand can be met get a value", .tags(.b51))
    func callersWhoseDemandCanBeMetAreServed() async throws {
        let harness = Harness()
        try await demandTooMuch(harness)
        harness.time.advance(by: 0.1)
        let demanding = await harness.caller(validFor: 999.95)
        await harness.source.next().succeed(2)
        #expect(try await demanding.value == 2)
    }

    @Test("A source with longer lifetimes is used again", .tags(.b51))
    func sourceThatImprovesIsNoticed() async throws {
        let harness = Harness()
        try await demandTooMuch(harness)
        harness.time.advance(by: 1)
        let demanding = await harness.caller(validFor: 2_000)
        await harness.source.next().succeed(2, lifetime: 3_000)
        #expect(try await demanding.value == 2)
        harness.time.advance(by: 1_500)
        let second = await harness.caller(validFor: 2_000)
        await harness.source.next().succeed(3, lifetime: 3_000)
        #expect(try await second.value == 3)
    }

    /// Ten times a second for ten minutes.
    @Test("Demands that can't be met cause no storm", .tags(.b51))
    func demandsThatCantBeMetCauseNoStorm() async throws {
        let harness = Harness()
        try await harness.fill()
        var fetches = 1
        for _ in 0..<6_000 {
            if case .failure(let error) = await impatient(harness) { #expect(error.code == .insufficientLifetime) }
            while harness.log.ends < harness.log.starts {
                fetches += 1
                await harness.source.next().succeed(fetches)
                await harness.log.wait(forEnds: fetches)
            }
            #expect(harness.cache.cachedValue(for: "a") != nil)
            harness.time.advance(by: 0.1)
        }
        #expect((20...60).contains(fetches))
    }

    @Test("A fetch gets the priority of the most urgent waiter", .tags(.b54))
    func fetchGetsThePriorityOfTheMostUrgentWaiter() async throws {
        let gate = Answers<Int>()
        let log = EventLog()
        let cache = ExpiringCache<String, Int>(configuration: .patient, observer: { log.note($0) }) { _, _ in
            gate.note(.success(Int(Task.currentPriority.rawValue)))
            // The watchdog ends a test whose fetch never becomes urgent.
            while Task.currentPriority < .high { await Task.yield() }
            return Fetched(1, lifetime: 60)
        }
        let patient = Task.detached(priority: .background) { try await cache.value(for: "a") }
        let began = try await gate.wait(for: 1)[0].get()
        #expect(began < Int(TaskPriority.high.rawValue))
        let urgent = Task.detached(priority: .high) { try await cache.value(for: "a") }
        #expect(try await urgent.value == 1)
        #expect(try await patient.value == 1)
        #expect(log.starts == 1)
    }

    private func demandTooMuch(_ harness: Harness, after seconds: Seconds = 0) async throws {
        harness.time.advance(by: seconds)
        let impossible = await harness.caller(validFor: 2_000)
        await harness.source.next().succeed(1)
        let error = try #require(await impossible.failure)
        #expect(error.code == .insufficientLifetime)
        let pause = try #require(error.retryAfter)
        #expect(pause > 0)
        #expect(await harness.call(validFor: 2_000).code == .insufficientLifetime)
    }

    /// What a caller gets at once who asks for too much, or nothing when it waits.
    private func impatient(_ harness: Harness) async -> Result<Int, CacheError> {
        let starts = harness.log.starts
        let answers = Answers<Int>()
        harness.cache.value(for: "a", validFor: 2_000, timeout: .infinity, completion: answers.note)
        guard harness.log.starts == starts else { return .success(0) }
        return await answers.wait(for: 1)[0].mapError { $0 as? CacheError ?? CacheError(.closed) }
    }
}
