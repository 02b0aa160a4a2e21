import Foundation
import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

/// Calls whose requests reach a server with a fault.
@Suite(.watchdog(seconds: 30))
struct ProviderOverHTTPTests {
    private let server: FakeTokenServer
    private let clock = ManualClock()
    private let provider: FleetTokenProvider

    init() throws {
        server = try FakeTokenServer()
        let fetcher = TokenFetcher(TokenServer(server.url)) { _ in ["Authorization": "Bearer abc"] }
        provider = FleetTokenProvider(clock: clock) { try await fetcher.token(for: $0) }
    }

    enum Fault: CaseIterable {
        case tooManyRequests, unavailable, unauthenticated, garbage, html, noContent, huge, slow, silent, dripping,
            truncated, stopped, moved, movedNowhere, broken, reset, noHTTP, cloud, challenge, dead

        /// Whether only the provider's time limit ends a fetch.
        var hangs: Bool { [.slow, .silent, .dripping].contains(self) }

        func begin(on server: FakeTokenServer) {
            switch self {
            case .tooManyRequests: server.answer(429, [("Retry-After", "20")])
            case .unavailable: server.answer(503)
            case .unauthenticated: server.answer(401)
            case .garbage: change(server) { $0.body = Array("}{".utf8) }
            case .html: change(server) { $0.body = Array("<html>Sign in to the network</html>".utf8) }
            case .noContent: change(server) { ($0.status, $0.body) = (204, []) }
            case .huge: change(server) { $0.body = [UInt8](repeating: 0x20, count: 1_000_000) }
            case .slow: change(server) { $0.delivery = .headOnly }
            case .silent: change(server) { $0.delivery = .silence }
            case .dripping: change(server) { $0.delivery = .drip }
            case .truncated: change(server) { $0.delivery = .truncated }
            case .stopped: server.stop()
            case .movedNowhere: server.answer(302)
            case .broken: change(server) { $0.delivery = .end }
            case .reset: change(server) { $0.delivery = .reset }
            case .noHTTP: change(server) { $0.delivery = .raw("HTTP/1.1 two hundred\r\n\r\n") }
            case .cloud: server.answer(522, [("Retry-After", "20")])
            case .challenge: server.answer(401, [("WWW-Authenticate", "Basic realm=\"tokens\"")])
            case .dead:
                let token = Token.jwt(for: .server, issuedAt: Date(timeIntervalSinceNow: -7200))
                change(server) { $0.body = Array(#"{"token":"\#(token)","expiresInSeconds":3540}"#.utf8) }
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

    /// Waits until no fetch runs; those that hang reach their time limit.
    private func waitForFetches(_ fault: Fault, requests: Int) async throws {
        if fault.hangs {
            try await server.waitForRequests(requests)
            clock.advance(by: 15)
        }
        try await provider.waitForFetches()
    }

    @Test(arguments: [Fault.silent, .stopped, .unavailable])
    func `No failure shows while a token is valid, and the next refresh succeeds`(fault: Fault) async throws {
        let first = try await provider.token(for: .server)
        fault.begin(on: server)
        clock.advance(by: 2800)
        for attempt in 1...3 {
            #expect(try await provider.token(for: .server).text == first.text)
            try await waitForFetches(fault, requests: 1 + attempt)
            clock.advance(by: 35)
        }
        server.misbehave(nil)
        if fault == .stopped { try server.restart() }
        server.setClock(by: 3000)
        _ = try await provider.token(for: .server)
        try await provider.waitForFetches()
        #expect(try await provider.token(for: .server).text != first.text)
    }

    @Test(arguments: Fault.allCases)
    func `Without a token each failure is an error that says who acts`(fault: Fault) async throws {
        fault.begin(on: server)
        let call = Task { try await provider.token(for: .server) }
        if fault.hangs { try await waitForFetches(fault, requests: 1) }
        let error = try #require(await #expect(throws: TokenProviderError.self) { try await call.value })
        #expect(error.message.isEmpty == false)
        let wait = try #require(error.retryAfter)
        switch fault {
        case .tooManyRequests, .cloud:
            // A tenth, as the random number is a half; and half a second at most is the provider's own.
            #expect(error.remedy == .wait && (22...22.5).contains(wait))
        case .unauthenticated, .challenge: #expect(error.remedy == .signIn && (30...30.5).contains(wait))
        case .garbage, .html, .noContent, .huge, .moved:
            #expect(error.remedy == .developer && (30...30.5).contains(wait))
        default: #expect(error.remedy == .wait && (0...0.5).contains(wait))
        }
        server.misbehave(nil)
        if fault == .stopped { try server.restart() }
        let requests = server.requests.count
        clock.advance(by: wait - 0.01)
        await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        #expect(server.requests.count == requests)
        clock.advance(by: 0.02)
        _ = try await provider.token(for: .server)
    }

    @Test
    func `A late response for one trip never serves another`() async throws {
        let held = DispatchSemaphore(value: 0)
        server.misbehave { request, proper in
            if request.target.contains("trip-A") { held.wait() }
            return proper
        }
        async let first = provider.token(for: .trip("trip-A"))
        let second = try await provider.token(for: .trip("trip-B"))
        held.signal()
        let tokens = (try await first, second)
        #expect(try await provider.token(for: .trip("trip-A")).text == tokens.0.text)
        #expect(try await provider.token(for: .trip("trip-B")).text == tokens.1.text)
        #expect(tokens.0.text != tokens.1.text)
    }

    @Test
    func `The guide's three lines work against a server in development mode`() async throws {
        let tokens = FleetTokenProvider(TokenServer(server.url)) { _ in [:] }
        let token = try await tokens.token(for: .vehicle("vehicle-1"))
        #expect(token.text.hasPrefix("ey"))
        #expect(server.violations == [])
    }
}
