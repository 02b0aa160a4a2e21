import ExpiringCache
import FleetToken
import Foundation
import TestTraits
import Testing
import Timing

@testable import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Rejected credentials and tokens", .watchdog)
struct CredentialsRenewalTests {
    private let server: FakeTokenServer
    private var patient = HTTPTokenSource.Configuration()

    init() throws {
        server = try FakeTokenServer()
        patient.timeout = 60
    }

    /// Lets the server reject all credentials but these.
    private func accept(_ credentials: String) {
        server.misbehave { request, proper in
            guard request["authorization"] != credentials else { return proper }
            var response = LoopbackResponse()
            response.status = 401
            response.fields = [("WWW-Authenticate", "Bearer"), ("X-Request-Id", "abc123")]
            return response
        }
    }

    @Test("A 401 asks for other credentials once, and tries again with them")
    func renews() async throws {
        accept("Bearer new")
        let contexts = Lock<[TokenFetchContext]>([])
        let source = HTTPTokenSource(server: server.url, configuration: patient) { context in
            contexts.withLock { $0.append(context) }
            return ["Authorization": context.requiresNewCredentials ? "Bearer new" : "Bearer old"]
        }
        let scope = try TokenScope.trip("trip-1")
        #expect(try await source.fetchToken(for: TokenFetchContext(scope: scope, reason: .expired)).lifetime == 3540)
        #expect(
            contexts.withLock { $0 } == [
                TokenFetchContext(scope: scope, reason: .expired),
                TokenFetchContext(scope: scope, reason: .credentialsRejected),
            ]
        )
        #expect(server.requests.map { $0["authorization"] } == ["Bearer old", "Bearer new"])
    }

    @Test("Credentials are renewed once after a 401", arguments: TokenCases.shared.credentials.cases)
    func renewalCase(_ example: TokenCases.Credentials) async throws {
        accept("Bearer \(example.accepted)")
        let source = HTTPTokenSource(server: server.url, configuration: patient) { context in
            guard context.requiresNewCredentials else { return ["Authorization": "Bearer old"] }
            guard let renewed = example.renewed else { throw CocoaError(.fileNoSuchFile) }
            return ["Authorization": "Bearer \(renewed)"]
        }
        do {
            _ = try await source.fetchToken(for: TokenFetchContext(scope: .server))
            #expect(example.error == nil)
        } catch let error as TokenProviderError {
            #expect(error.code.description == example.error)
            if error.code == .unauthenticated { #expect(error.requestID == "abc123") }
        }
        #expect(server.requests.map { $0["authorization"] } == example.sent.map { "Bearer \($0)" })
    }

    @Test("An error of renewing is the fetch's error")
    func renewingFails() async throws {
        accept("Bearer new")
        let source = HTTPTokenSource(server: server.url, configuration: patient) { context in
            guard !context.requiresNewCredentials else { throw TokenProviderError(.unauthenticated, "Sign in.") }
            return ["Authorization": "Bearer old"]
        }
        // With the status of the response that made it necessary, so that the scope pauses.
        await #expect(throws: TokenProviderError(.unauthenticated, "Sign in.", httpStatus: 401)) {
            try await source.fetchToken(for: TokenFetchContext(scope: .server))
        }
    }

    @Test(
        "Only a token that must be new is asked for without reuse, by GET and by POST",
        arguments: [
            (TokenFetchReason.missing, false), (.expired, false), (.refreshAhead, false), (.insufficient, false),
            (.tokenRejected, true),
        ]
    )
    func reuse(reason: TokenFetchReason, isNew: Bool) async throws {
        let source = HTTPTokenSource(server: server.url, configuration: patient)
        for scope in [TokenScope.server, try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["task-1"])] {
            _ = try await source.fetchToken(for: TokenFetchContext(scope: scope, reason: reason))
        }
        #expect(server.requests.map { $0["fleet-token-reuse"] } == Array(repeating: isNew ? "no" : nil, count: 2))
    }
}
