import Foundation
import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

/// A 401 renews the credentials once.
@Suite(.watchdog)
struct CredentialsRenewalTests {
    private let server: FakeTokenServer

    init() throws {
        server = try FakeTokenServer()
    }

    /// Makes the server reject all credentials but these.
    private func accept(_ credentials: String) {
        server.misbehave { request, proper in
            guard request["authorization"] != credentials else { return proper }
            var response = LoopbackResponse()
            response.status = 401
            response.fields = [("WWW-Authenticate", "Bearer"), ("X-Request-Id", "abc123")]
            return response
        }
    }

    @Test(arguments: TokenCases.shared.credentials.cases)
    func `Credentials are renewed once after a 401`(_ example: TokenCases.Credentials) async throws {
        accept("Bearer \(example.accepted)")
        let (failures, requests) = (Lock(example.failures ?? 0), Lock<[TokenRequest]>([]))
        let fetcher = TokenFetcher(TokenServer(server.url)) { request in
            requests.withLock { $0.append(request) }
            let left = failures.withLock { failures in
                failures -= 1
                return failures
            }
            if left >= 0 { throw CocoaError(.fileNoSuchFile) }
            guard request.credentialsWereRejected else { return ["Authorization": "Bearer old"] }
            guard let renewed = example.renewed else { throw CocoaError(.fileNoSuchFile) }
            return ["Authorization": "Bearer \(renewed)"]
        }
        let provider = FleetTokenProvider(clock: ManualClock()) { try await fetcher.token(for: $0) }
        for call in 1...(example.calls ?? 1) {
            do {
                _ = try await provider.token(for: .server)
                #expect(example.error == nil)
            } catch let error as TokenProviderError {
                #expect(error.code.name == (call <= example.failures ?? 0 ? "unavailable" : example.error))
                if error.code == .unauthenticated { #expect(error.requestID == "abc123") }
            }
            if example.retryNow == true { provider.retryNow() }
        }
        #expect(server.requests.map { $0["authorization"] } == example.sent.map { "Bearer \($0)" })
        // Each call has the first credentials, and only the last call renews them.
        let renewed = example.accepted == "old" ? [] : [TokenRequest(.server, credentialsWereRejected: true)]
        let first = Array(repeating: TokenRequest(.server), count: (example.failures ?? 0) + 1)
        #expect(requests.withLock { $0 } == first + renewed)
    }

    @Test
    func `A delay of the first credentials' error pauses nothing, and the error has none`() async throws {
        let (isReady, log) = (Lock(false), FetchLog())
        let fetcher = TokenFetcher(TokenServer(server.url)) { _ in
            guard isReady.withLock({ $0 }) else { throw TokenProviderError(.unavailable, "Wait.", retryAfter: 60) }
            return [:]
        }
        let provider = FleetTokenProvider(clock: ManualClock(), onFetch: log.onFetch) {
            try await fetcher.token(for: $0)
        }
        let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        let end = try #require(log.entries.last?.error)
        #expect([error?.retryAfter, end.retryAfter] == [nil, nil])
        isReady.withLock { $0 = true }
        _ = try await provider.token(for: .server)
    }

    @Test
    func `A delay of the renewed credentials' error pauses the scope, and no other`() async throws {
        accept("Bearer new")
        let fetcher = TokenFetcher(TokenServer(server.url)) { request in
            guard !request.credentialsWereRejected else {
                throw TokenProviderError(.unavailable, "Wait.", retryAfter: 60)
            }
            return ["Authorization": "Bearer old"]
        }
        let provider = FleetTokenProvider(clock: ManualClock()) { try await fetcher.token(for: $0) }
        let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        #expect(error?.retryAfter.map { $0 > 60 } == true)
        await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        #expect(server.requests.count == 1)
        server.misbehave(nil)
        _ = try await provider.token(for: .fleetReader)
    }

    @Test
    func `An error while renewing is the fetch's error, with the status`() async throws {
        accept("Bearer new")
        let fetcher = TokenFetcher(TokenServer(server.url)) { request in
            guard !request.credentialsWereRejected else { throw TokenProviderError(.unauthenticated, "Sign in.") }
            return ["Authorization": "Bearer old"]
        }
        // With the status of the server's rejection, so that the scope pauses.
        await #expect(throws: TokenProviderError(.unauthenticated, "Sign in.", httpStatus: 401)) {
            try await fetcher.token(for: TokenRequest(.server))
        }
    }
}
