import ExpiringCache
import FleetToken
import Foundation
import TestTime
import TestTraits
import Testing
import Timing

@testable import TokenProvider

@Suite("The way from a call to a server that misbehaves, and back", .watchdog(seconds: 30))
struct ProviderOverHTTPTests {
    private let server: FakeTokenServer
    private let time = TestClock(at: 1_795_211_460)
    private let log = EventLog()
    private let provider: CachingTokenProvider

    init() throws {
        server = try FakeTokenServer()
        var configuration = HTTPTokenSource.Configuration()
        // Timeouts are the provider's here, and its time passes only when a test says so.
        configuration.timeout = 600
        let source = HTTPTokenSource(server: server.url, configuration: configuration) { _ in
            ["Authorization": "Bearer abc"]
        }
        provider = CachingTokenProvider(
            configuration: .init(),
            observer: log.observer,
            environment: time.environment()
        ) { try await source.fetchToken(for: $0) }
    }

    enum Trouble: CaseIterable {
        case tooManyRequests, unavailable, unauthenticated, garbage, html, slow, silent, truncated, wrongScope, stopped,
            moved, movedNowhere, broken, reset, noHTTP, cloud, challenge, dead

        var hangs: Bool { self == .slow || self == .silent }

        func begin(on server: FakeTokenServer) {
            switch self {
            case .tooManyRequests: server.answer(429, [("Retry-After", "20")])
            case .unavailable: server.answer(503)
            case .unauthenticated: server.answer(401)
            case .garbage: change(server) { $0.body = Array("}{".utf8) }
            case .html: change(server) { $0.body = Array("<html>Sign in to the network</html>".utf8) }
            case .slow: change(server) { $0.delivery = .headOnly }
            case .silent: change(server) { $0.delivery = .silence }
            case .truncated: change(server) { $0.delivery = .truncated }
            case .wrongScope:
                change(server) { $0.body = TokenResponse(for: .fleetReader, now: .now).encoded() }
            case .stopped: server.stop()
            case .movedNowhere: server.answer(302)
            case .broken: change(server) { $0.delivery = .end }
            case .reset: change(server) { $0.delivery = .reset }
            case .noHTTP: change(server) { $0.delivery = .raw("HTTP/1.1 two hundred\r\n\r\n") }
            case .cloud: server.answer(522, [("Retry-After", "20")])
            case .challenge: server.answer(401, [("WWW-Authenticate", "Basic realm=\"tokens\"")])
            case .dead:
                change(server) { response in
                    let answer = TokenResponse(for: .server, now: .now - 7200).encoded()
                    response.body = answer
                }
            case .moved: server.answer(302, [("Location", "http://localhost:1/token/server")])
            }
        }

        private func change(_ server: FakeTokenServer, _ change: @escaping @Sendable (inout LoopbackResponse) -> Void) {
            server.misbehave { _, proper in
                var response = proper
                change(&response)
                return response
            }
        }
    }

    /// Waits until no fetch is under way; those that hang reach their timeout.
    private func settle(_ trouble: Trouble, requests: Int) async {
        guard trouble.hangs else { return await log.waitForQuiet() }
        await server.waitForRequests(requests)
        // Once: the timeout of the call itself is soon after.
        time.advance(by: 16)
        await log.waitForQuiet()
    }

    @Test("No trouble shows while a token still lives, and the next refresh heals it", arguments: Trouble.allCases)
    func troubleDuringRefresh(trouble: Trouble) async throws {
        let first = try await provider.token(for: .server)
        trouble.begin(on: server)
        time.advance(by: 2800)
        for attempt in 1...3 {
            #expect(try await provider.token(for: .server) == first)
            await settle(trouble, requests: 1 + attempt)
            time.advance(by: 35)
        }
        #expect(log.entries.contains { $0.isFetchEnd && $0.reason == .refreshAhead && $0.error != nil })
        server.misbehave(nil)
        if trouble == .stopped { try server.restart() }
        server.setClock(.now + 3000)
        _ = try await provider.token(for: .server)
        await log.waitForQuiet()
        #expect(try await provider.token(for: .server) != first)
    }

    @Test(
        "Without a token each trouble is an error that says what to do; what breaks costs the first pause and no more",
        .tags(.b50),
        arguments: Trouble.allCases
    )
    func troubleWithoutToken(trouble: Trouble) async throws {
        trouble.begin(on: server)
        let call = Task { try await provider.token(for: .server) }
        await log.waitForWaiters(1)
        await settle(trouble, requests: 1)
        let error = try #require(await #expect(throws: TokenProviderError.self) { try await call.value })
        #expect(error.message.isEmpty == false)
        let wait = try #require(error.retryAfter)
        switch trouble {
        case .tooManyRequests, .cloud:
            // Half a second at most is the provider's own.
            #expect(!error.needsAction && (20...20.5).contains(wait))
        case .unauthenticated, .challenge, .garbage, .html, .wrongScope, .moved: #expect(error.needsAction)
        default: #expect(!error.needsAction && (0...0.5).contains(wait))
        }
        server.misbehave(nil)
        if trouble == .stopped { try server.restart() }
        if !trouble.hangs {
            let requests = server.requests.count
            time.advance(by: wait - 0.01)
            await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
            #expect(server.requests.count == requests)
        }
        time.advance(by: 0.02)
        _ = try await provider.token(for: .server)
    }

    @Test("Samples: A late answer for trip A never serves trip B")
    func lateAnswer() async throws {
        let (a, b) = (try TokenScope.trip("trip-A"), try TokenScope.trip("trip-B"))
        let held = DispatchSemaphore(value: 0)
        server.misbehave { request, proper in
            if (request.target + String(decoding: request.body, as: UTF8.self)).contains("trip-A") { held.wait() }
            return proper
        }
        async let first = provider.token(for: a)
        let second = try await provider.token(for: b)
        held.signal()
        let tokens = (try await first, second)
        #expect(JWTReading(tokens.0.value)?.grantsAccess(onlyTo: a) == true)
        #expect(JWTReading(tokens.1.value)?.grantsAccess(onlyTo: b) == true)
        #expect(provider.cachedToken(for: a) == tokens.0)
        #expect(provider.cachedToken(for: b) == tokens.1)
    }

    @Test(
        "A skewed Date and a skewed device change nothing",
        arguments: [-1_000_000_000, -7200, 7200, 1_000_000_000] as [Int64]
    )
    func skewedClocks(skew: Int64) async throws {
        server.setClock(.now + skew)
        time.setWallClock(by: Double(-skew))
        let token = try await provider.token(for: .server)
        time.advance(by: 2600)
        #expect(try await provider.token(for: .server) == token)
        #expect(server.requests.count == 1)
    }

    @Test("The three lines of the guide work against a server in development mode")
    func threeLines() async throws {
        let tokens = CachingTokenProvider(server: server.url) { _ in [:] }
        let token = try await tokens.token(for: .driver(vehicle: ResourceID("vehicle-1")))
        #expect(JWTReading(token.value)?.grantsAccess(onlyTo: try .vehicle("vehicle-1")) == true)
        #expect(server.violations == [])
    }
}
