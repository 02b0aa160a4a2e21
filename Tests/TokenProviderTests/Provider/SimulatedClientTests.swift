import ExpiringCache
import FleetToken
import TestTraits
import Testing
import Timing

@testable import TokenProvider
@testable import TokenProviderTesting

@Suite("The simulated client", .watchdog)
struct SimulatedClientTests {
    @Test(
        "A simulated client fetches when a provider does, before, during and after an outage",
        arguments: [(3_540.0, 2_600.0..<3_100), (3_540, 2_600..<4_000), (600, 0..<45), (600, 170..<1_000)]
    )
    func likeProvider(lifetime: Double, outage: Range<Double>) async throws {
        let clock = ManualClock()
        let source = ScriptedTokenSource(lifetime: lifetime)
        let finished = Lock(0)
        let provider = CachingTokenProvider(
            source: source,
            observer: { if $0.name == .fetchFinished { finished.withLock { $0 += 1 } } },
            clock: clock
        )
        let scope = TokenScope.driver(vehicle: try ResourceID("vehicle-1"))
        var client = SimulatedClient()
        var fetches = 0
        for time in stride(from: 0.0, to: 2 * 3_600, by: 10) {
            let isUp = !outage.contains(time)
            source.succeed(lifetime: lifetime)
            if !isUp { source.fail(TokenProviderError(.offline, "No network.")) }
            let outcome = client.requestToken(at: time, jitter: 0.5, lifetime: isUp ? lifetime : nil)
            let hasToken = (try? await provider.token(for: scope)) != nil
            if outcome.isFetch { fetches += 1 }
            // A refresh runs in the background.
            while finished.withLock({ $0 }) < fetches { await Task.yield() }
            #expect(hasToken == outcome.hasToken, "at \(time)")
            #expect(source.contexts.count == fetches, "at \(time)")
            clock.advance(by: 10)
        }
        #expect(fetches > 2)
    }

    @Test("Until the refresh time, a client sends nothing")
    func refreshTime() throws {
        var client = SimulatedClient()
        #expect(client.refreshTime == nil)
        #expect(client.requestToken(at: 100, jitter: 0, lifetime: 3_540) == .init(hasToken: true, isFetch: true))
        // 3,540 s are usable for 3,240; the refresh is due between 600 and 300 s before that.
        #expect(client.refreshTime == 2_740)
        #expect(client.requestToken(at: 2_739, jitter: 0, lifetime: 3_540) == .init(hasToken: true, isFetch: false))
        #expect(client.requestToken(at: 2_740, jitter: 1, lifetime: 3_540) == .init(hasToken: true, isFetch: true))
        #expect(client.refreshTime == 5_680)
    }

    @Test("The configuration applies")
    func configuration() {
        var configuration = CachingTokenProvider.Configuration()
        configuration.refreshAhead = 0
        var client = SimulatedClient(configuration: configuration)
        _ = client.requestToken(at: 0, jitter: 0.5, lifetime: 3_540)
        #expect(client.refreshTime == 3_240)
    }
}
