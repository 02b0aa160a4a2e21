import ExpiringCache
import FleetEngineClient
import FleetToken
import Foundation
import TestTraits
import Testing
import Timing
import TokenProvider
import TokenProviderTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

    @Test("A trip is followed on the manual clock, without waiting for real seconds")
    func engine() async throws {
        let requests = Lock(0)
        var configuration = FleetEngine.Configuration()
        configuration.transport = HTTPTransport { request in
            let number = requests.withLock { requests in
                requests += 1
                return requests
            }
            let status = ["NEW", "ENROUTE_TO_PICKUP", "COMPLETE"][min(number, 3) - 1]
            return (Data(#"{"name":"providers/p/trips/t","tripStatus":"\#(status)"}"#.utf8), try Self.response(request))
        }
        let engine = FleetEngine(
            provider: try ResourceID("p"),
            tokens: CachingTokenProvider(source: ScriptedTokenSource(), clock: clock),
            configuration: configuration
        )
        var statuses: [TripStatus] = []
        for await case .updated(let trip) in engine.tripModel(for: try ResourceID("t")).updates {
            statuses.append(trip.tripStatus)
            // The next request is due five seconds after a response.
            clock.advance(by: 4)
            #expect(requests.withLock { $0 } == statuses.count)
            clock.advance(by: 1)
        }
        #expect(statuses == [.new, .enrouteToPickup, .complete])
    }

    @Test("In a simulation that is a million times faster, the timeout of a request stays in real time")
    func speed() async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(body: Array(#"{"name":"providers/p/trips/t","tripStatus":"COMPLETE"}"#.utf8))
        }
        defer { server.stop() }
        var configuration = FleetEngine.Configuration(emulatorHost: "127.0.0.1:\(server.port)")
        configuration.speed = 1_000_000
        let engine = FleetEngine(
            provider: try ResourceID("p"),
            tokens: CachingTokenProvider { _ in FetchedToken("token", lifetime: 3600) },
            configuration: configuration
        )
        var errors: [FleetEngineError] = []
        for await case .failed(let error) in engine.tripModel(for: try ResourceID("t")).updates { errors.append(error) }
        #expect(errors == [])
    }

    private static func response(_ request: URLRequest) throws -> HTTPURLResponse {
        let url = try #require(request.url)
        return try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
    }
}
