import ExpiringCache
import FleetToken
import TestTraits
import Testing
import Timing
import TokenProvider
import TokenProviderTesting

@Suite("What apps' tests wait for", .watchdog)
struct TestingHelperTests {
    private let clock = ManualClock()

    @Test("Waiting for fetches or sleepers that never come ends when the task is cancelled")
    func cancellation() async throws {
        let source = ScriptedTokenSource()
        let fetches = Task { try await source.waitForFetches(1) }
        let sleepers = Task { [clock] in try await clock.waitForSleepers(1) }
        fetches.cancel()
        sleepers.cancel()
        await #expect(throws: CancellationError.self) { try await fetches.value }
        await #expect(throws: CancellationError.self) { try await sleepers.value }
        // The others are woken nevertheless.
        async let other: Void = source.waitForFetches(1)
        _ = try await source.fetchToken(for: TokenFetchContext(scope: .server))
        try await other
    }

    @Test("A test can wait until a prefetched token has arrived")
    func end() async throws {
        let source = ScriptedTokenSource(delay: 1, clock: clock)
        let tokens = CachingTokenProvider(source: source, clock: clock)
        tokens.prefetch([.server, .fleetReader])
        try await clock.waitForSleepers(2)
        clock.advance(by: 1)
        try await tokens.waitForFetches()
        #expect(tokens.cachedToken(for: .server) != nil && tokens.cachedToken(for: .fleetReader) != nil)
        // Without a fetch there is nothing to wait for.
        try await tokens.waitForFetches()
    }
}
