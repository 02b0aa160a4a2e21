import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("Callers that require more than others", .watchdog(seconds: 60))
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
        #expect(await harness.source.next().reason == .refreshAhead)
    }

    @Test("A fetch that a background caller starts runs at high priority, for whoever joins", .tags(.b54))
    func fetchIsUrgentWhoeverStartsIt() async throws {
        let cache = ExpiringCache<String, TaskPriority>(configuration: .patient) { _, _ in
            Fetched(Task.currentPriority, lifetime: 60)
        }
        let patient = Task.detached(priority: .background) { try await cache.value(for: "a") }
        #expect(try await patient.value >= .high)
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
}
