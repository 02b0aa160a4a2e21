import Foundation
import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests to a token server.
@Suite(.watchdog)
struct TokenFetcherTests {
    private let server: FakeTokenServer

    init() throws {
        server = try FakeTokenServer()
    }

    private func fetcher(
        _ url: String? = nil,
        _ change: (inout TokenServer) -> Void = { _ in },
        fields: [String: String] = ["Authorization": "Bearer CREDENTIAL"]
    ) throws -> TokenFetcher {
        var description = TokenServer(try url.map { try #require(URL(string: $0)) } ?? server.url)
        change(&description)
        return TokenFetcher(description) { _ in fields }
    }

    private func failure(_ fetcher: TokenFetcher, _ scope: TokenScope = .server) async -> TokenProviderError? {
        await #expect(throws: TokenProviderError.self) { try await fetcher.token(for: TokenRequest(scope)) }
    }

    private static let scopes: [(TokenScope, String)] = [
        (.trip("trip-1_2.3~4"), "consumer/trip-1_2.3~4"),
        (.trip("a@b=c+d$e!(f)"), "consumer/a%40b%3Dc%2Bd%24e%21%28f%29"),
        (.vehicle("KA 01 AB 1234"), "driver/KA%2001%20AB%201234"), (.vehicle("café&\\"), "driver/caf%C3%A9%26%5C"),
        (.deliveryVehicle("v"), "delivery_driver/v"), (.trustedDeliveryVehicle("v"), "trusted_delivery_driver/v"),
        (.trustedDeliveryVehicle("v", task: "a&b=c"), "trusted_delivery_driver/v?taskId=a%26b%3Dc"),
        (.trustedDeliveryVehicle("v", task: ""), "trusted_delivery_driver/v"),
        (.shipment("s"), "delivery_consumer/s"), (.task("t"), "delivery_task/t"), (.server, "server"),
        (.fleetReader, "fleet_reader"), (.deliveryServer, "delivery_server"),
    ]

    @Test(arguments: scopes)
    func `Each scope has its route`(scope: TokenScope, route: String) throws {
        let url = try #require(URL(string: "https://tokens.example"))
        let request = try TokenServer.standardRequest(url, TokenRequest(scope))
        #expect(request.url?.absoluteString == "https://tokens.example/token/\(route)")
        #expect(request.httpMethod == "GET" && request.httpBody == nil)
    }

    @Test
    func `A strict server accepts the request`() async throws {
        let fetcher = try fetcher()
        for (scope, _) in Self.scopes where scope.id?.contains("\\") != true {
            let token = try await fetcher.token(for: TokenRequest(scope))
            #expect((3530...3540).contains(token.lifetime.seconds(deviceClock: Date().timeIntervalSince1970)))
        }
        #expect(server.violations == [])
        #expect(server.requests.allSatisfy { $0["authorization"] == "Bearer CREDENTIAL" })
    }

    @Test(arguments: [true, false])
    func `Only a token that must be new is requested without reuse`(mustBeNew: Bool) async throws {
        _ = try await fetcher().token(for: TokenRequest(.server, mustBeNew: mustBeNew))
        #expect(server.requests.map { $0["fleet-token-reuse"] } == [mustBeNew ? "no" : nil])
    }

    @Test(
        arguments: [
            ("https://tokens.example/", "https://tokens.example/token/server"),
            ("https://tokens.example:8443/api/v1", "https://tokens.example:8443/api/v1/token/server"),
            ("https://tokens.example/api//", "https://tokens.example/api/token/server"),
            ("https://tokens.example/a%2Fb", "https://tokens.example/a%2Fb/token/server"),
            ("http://[::1]:8080", "http://[::1]:8080/token/server"),
        ]
    )
    func `The server's own path is kept`(server: String, expected: String) throws {
        let request = try TokenServer.standardRequest(try #require(URL(string: server)), TokenRequest(.server))
        #expect(request.url?.absoluteString == expected)
    }

    @Test(
        arguments: [
            "tokens.example", "/token", "ftp://tokens.example", "file:///etc/passwd", "https:", "https://",
            "https://user@tokens.example", "https://user:password@tokens.example", "https://tokens.example/#",
            "http://tokens.example", "http://192.168.1.5:8080", "http://127.0.0.1.evil.example",
            "http://localhost.evil.example",
        ]
    )
    func `A server URL that could leak or mislead is an error`(url: String) async throws {
        let error = await failure(try fetcher(url))
        #expect(error?.code == .invalidConfiguration && error?.remedy == .developer)
        #expect(error?.message.contains("password") == false)
        // An app's own request may not be sent there either.
        let other = await failure(
            try fetcher { $0.request = { _, _ in URLRequest(url: try #require(URL(string: url))) } }
        )
        #expect(other?.code == .invalidConfiguration)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["?", "?key=SECRET", "/base?key=SECRET"])
    func `A server URL with a query is an error, because the query would be lost`(rest: String) async throws {
        let error = await failure(try fetcher(server.url.absoluteString + rest))
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message.contains("SECRET") == false)
        #expect(server.requests.isEmpty)
    }

    @Test(
        arguments: [
            ("Authorization", "Bearer SECRET\r\nX-Admin: 1"), ("Authorization", "Bearer SECRET\n"),
            ("Authorization", "SECRET\u{0}"), ("Authorization", "SECRETé"), ("X SECRET", "1"), ("", "SECRET"),
            ("X-SECRET:", "1"), ("X\r\nSECRET", "1"),
        ]
    )
    func `A header field that HTTP does not allow is an error that does not show it`(name: String, value: String)
        async throws
    {
        let error = await failure(try fetcher(fields: [name: value]))
        #expect(error?.code == .invalidConfiguration)
        #expect(error.map { "\($0)".contains("SECRET") } == false)
        #expect(server.requests.isEmpty)
    }

    /// An app's own backend, such as a Firebase callable: POST, nested JSON and numbers as text.
    @Test
    func `request and decode describe another backend`() async throws {
        server.misbehave { request, _ in
            var response = LoopbackResponse()
            let isExpected =
                request.method == "POST" && request.target == "/api/fleetToken?v=2"
                && String(decoding: request.body, as: UTF8.self) == #"{"data":{"tripId":"trip-1"}}"#
            response.status = isExpected ? 200 : 404
            response.body = Array(#"{"result":{"token":"\#(Token.jwt(for: .trip("trip-1")))","ttl":"1200"}}"#.utf8)
            return response
        }
        let fetcher = try fetcher(server.url.appendingPathComponent("api").absoluteString) { server in
            server.request = { url, request in
                var post = URLRequest(url: try #require(URL(string: url.absoluteString + "/fleetToken?v=2")))
                post.httpMethod = "POST"
                post.httpBody = try JSONEncoder().encode(["data": ["tripId": request.scope.id]])
                post.setValue("application/json", forHTTPHeaderField: "Content-Type")
                return post
            }
            server.decode = TokenServer.json(token: "result.token", expiry: "result.ttl")
        }
        let token = try await fetcher.token(for: TokenRequest(.trip("trip-1")))
        #expect(token.lifetime.seconds(deviceClock: Date().timeIntervalSince1970) == 1200)
    }

    @Test(
        arguments: [
            (429, "7", 7.0, TokenProviderError.Code.resourceExhausted), (503, "120", 120, .unavailable),
            (503, "99999", 3600, .unavailable), (503, "soon", nil, .unavailable), (504, "1", 1, .unavailable),
            (401, "7", nil, .unauthenticated), (403, "7", nil, .permissionDenied),
        ] as [(Int, String, Double?, TokenProviderError.Code)]
    )
    func `A status is an error with the wait that the server asks for`(
        status: Int,
        retryAfter: String,
        expected: Double?,
        code: TokenProviderError.Code
    ) async throws {
        server.answer(status, [("Retry-After", retryAfter)])
        let error = await failure(try fetcher())
        #expect(error?.code == code)
        #expect(error?.httpStatus == status)
        #expect(error?.retryAfter == expected)
        #expect(error.map { String(reflecting: $0).contains("SECRET") } == false)
        #expect(error.map { String(reflecting: $0).contains("CREDENTIAL") } == false)
    }

    @Test
    func `Credentials that throw send nothing`() async throws {
        struct Failure: Error { let text = "SECRET" }
        let description = TokenServer(server.url)
        let signedOut = TokenFetcher(description) { _ in throw TokenProviderError(.unauthenticated, "Sign in.") }
        let missing = await failure(signedOut)
        #expect(missing?.code == .unauthenticated && missing?.message == "Sign in.")
        let error = await failure(TokenFetcher(description) { _ in throw Failure() })
        #expect(error?.code == .unavailable && error?.remedy == .wait)
        #expect(error.map { String(reflecting: $0).contains("SECRET") } == false)
        #expect(server.requests.isEmpty)
    }

    @Test
    func `The app's settings apply, and nothing is stored`() async throws {
        let settings = URLSessionConfiguration.default
        settings.httpAdditionalHeaders = ["X-App": "rider"]
        settings.timeoutIntervalForRequest = 3
        let fetcher = try fetcher { $0.sessionConfiguration = settings }
        // A later change doesn't apply.
        settings.httpAdditionalHeaders = ["X-App": "other"]
        _ = try await fetcher.token(for: TokenRequest(.server))
        #expect(server.requests.first?["x-app"] == "rider")
        let used = fetcher.session.session.configuration
        #expect(used.timeoutIntervalForRequest == 3)
        #expect(used.httpCookieStorage == nil && used.urlCache == nil && used.urlCredentialStorage == nil)
    }
}
