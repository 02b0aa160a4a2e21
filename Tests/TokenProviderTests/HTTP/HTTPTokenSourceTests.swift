import ExpiringCache
import FleetToken
import Foundation
import TestTraits
import Testing
import Timing

@testable import TokenProvider

@Suite("The HTTP source against a server", .watchdog)
struct HTTPTokenSourceTests {
    private let server: FakeTokenServer
    private let source: HTTPTokenSource
    private var patient = HTTPTokenSource.Configuration()

    init() throws {
        server = try FakeTokenServer()
        // A loaded machine must not fail the tests.
        patient.timeout = 60
        source = HTTPTokenSource(server: server.url, configuration: patient) { _ in
            ["Authorization": "Bearer CREDENTIAL"]
        }
    }

    @Test("Fetches a token of each kind with well-formed requests")
    func everyKind() async throws {
        let id = try ResourceID("a@b=c+d$e!(f)")
        let scopes =
            try KindCase.all.map { try $0.scope() } + [
                .consumer(trip: id), .trustedDeliveryDriver(vehicle: id, task: id),
                .consumer(trip: try ResourceID("naïve東京")),
            ]
        for scope in scopes {
            let token = try await source.fetchToken(for: TokenFetchContext(scope: scope))
            #expect(JWTReading(token.value)?.grantsAccess(onlyTo: scope) == true)
            #expect(token.lifetime == 3540)
        }
        #expect(server.violations == [])
        #expect(server.requests.count == scopes.count)
        #expect(server.requests.allSatisfy { $0["authorization"] == "Bearer CREDENTIAL" })
        #expect(server.requests.allSatisfy { $0["cookie"] == nil })
    }

    @Test("An error of the credentials' own is passed on; any other may pass")
    func credentialsFail() async throws {
        struct Failure: Error { let text = "SECRET" }
        let signedOut = HTTPTokenSource(server: server.url) { _ in
            throw TokenProviderError(.unauthenticated, "Sign in.")
        }
        let error = await #expect(throws: TokenProviderError.self) {
            try await signedOut.fetchToken(for: TokenFetchContext(scope: .server))
        }
        #expect(error == TokenProviderError(.unauthenticated, "Sign in."))
        let broken = HTTPTokenSource(server: server.url) { _ in throw Failure() }
        let other = await #expect(throws: TokenProviderError.self) {
            try await broken.fetchToken(for: TokenFetchContext(scope: .server))
        }
        #expect(other?.needsAction == false)
        #expect(other.map { String(reflecting: $0).contains("SECRET") } == false)
        #expect(server.requests.isEmpty)
    }

    @Test(
        "A status is an error with the wait that the server asks for",
        .tags(.b37),
        arguments: [
            (429, "7", 7.0, TokenErrorCode.resourceExhausted), (503, "120", 120, .unavailable),
            (503, "99999", 3600, .unavailable), (503, "soon", nil, .unavailable), (504, "1", 1, .deadlineExceeded),
            (401, "7", nil, .unauthenticated), (403, "7", nil, .permissionDenied),
        ] as [(Int, String, Double?, TokenErrorCode)]
    )
    func statuses(status: Int, retryAfter: String, expected: Double?, code: TokenErrorCode) async throws {
        server.answer(status, [("Retry-After", retryAfter)])
        let error = await #expect(throws: TokenProviderError.self) {
            try await source.fetchToken(for: TokenFetchContext(scope: .server))
        }
        #expect(error?.code == code)
        #expect(error?.httpStatus == status)
        #expect(error?.retryAfter == expected)
        #expect(error.map { String(reflecting: $0).contains("SECRET") } == false)
        #expect(error.map { String(reflecting: $0).contains("CREDENTIAL") } == false)
    }

    @Test("The token of a response that a proxy kept is as much older as its Age says")
    func age() async throws {
        server.misbehave { _, proper in
            var response = proper
            response.fields.append(("Age", "3000"))
            return response
        }
        #expect(try await source.fetchToken(for: TokenFetchContext(scope: .server)).lifetime == 540)
    }

    @Test("A path of the server's own and another format are followed")
    func customPath() async throws {
        server.misbehave { request, _ in
            var response = LoopbackResponse()
            response.status = request.target == "/api/v2/trips/trip%201/key" ? 200 : 404
            let token = (try? Secret(scope: .trip("trip-1")).revealText()) ?? ""
            response.body = Array(#"{"TRIP_TOKEN_KEY":"\#(token)","TOKEN_EXPIRATION":1200}"#.utf8)
            return response
        }
        var configuration = HTTPTokenSource.Configuration()
        configuration.format = .consumerGuide(.secondsFromNow)
        configuration.path = { _ in ["v2", "trips", "trip 1", "key"] }
        configuration.timeout = 60
        let source = HTTPTokenSource(server: server.url.appendingPathComponent("api"), configuration: configuration)
        #expect(try await source.fetchToken(for: TokenFetchContext(scope: try .trip("trip-1"))).lifetime == 1200)
    }

    @Test("A URL that cannot be used is an error of each fetch")
    func unusableURL() async throws {
        let url = try #require(URL(string: "http://tokens.example"))
        let error = await #expect(throws: TokenProviderError.self) {
            try await HTTPTokenSource(server: url).fetchToken(for: TokenFetchContext(scope: .server))
        }
        #expect(error?.code == .invalidConfiguration)
    }
}
