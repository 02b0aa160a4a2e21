import FleetToken
import Foundation
import TestTraits
import Testing

@testable import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The request to a token server")
struct TokenRequestTests {
    private func request(
        to server: String = "https://tokens.example",
        insecure: Bool = false,
        for scope: TokenScope = .server,
        path: [String]? = nil,
        fields: [String: String] = [:]
    ) throws -> URLRequest {
        let url = try #require(URL(string: server))
        var configuration = HTTPTokenSource.Configuration()
        if let path { configuration.path = { _ in path } }
        return try HTTPTokenSource(server: url, configuration: configuration).request(
            to: ServerURL(url, allowsInsecureHTTP: insecure),
            for: TokenFetchContext(scope: scope),
            fields: fields
        )
    }

    private func url(_ server: String, _ scope: TokenScope) throws -> String? {
        try request(to: server, for: scope).url?.absoluteString
    }

    @Test("Samples: Each scope has its route, and the ID is in it")
    func routes() throws {
        let id = try ResourceID("a@b=c+d$e!(f)")
        let cafe = try ResourceID("café")
        let routes: [(TokenScope, String)] = [
            (.consumer(trip: try ResourceID("trip-1_2.3~4")), "consumer/trip-1_2.3~4"),
            (.consumer(trip: id), "consumer/a%40b%3Dc%2Bd%24e%21%28f%29"),
            (.driver(vehicle: cafe), "driver/caf%C3%A9"),
            (.deliveryDriver(vehicle: id), "delivery_driver/a%40b%3Dc%2Bd%24e%21%28f%29"),
            (
                .trustedDeliveryDriver(vehicle: try ResourceID("v"), task: id),
                "trusted_delivery_driver/v?taskId=a%40b%3Dc%2Bd%24e%21%28f%29"
            ),
            (try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["t"]), "delivery_server"),
        ]
        for (scope, route) in routes {
            #expect(try url("https://tokens.example", scope) == "https://tokens.example/token/\(route)")
        }
        for row in KindCase.all {
            let path = row.path ?? "/token/\(row.kind)"
            #expect(try url("https://tokens.example", try row.scope()) == "https://tokens.example\(path)")
        }
    }

    @Test("A batch is posted as JSON, everything else is a GET without a body")
    func methods() throws {
        let batch = try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["task-2", "task-1"])
        let post = try request(for: batch)
        #expect(post.httpMethod == "POST")
        #expect(post.httpBody.map { String(decoding: $0, as: UTF8.self) } == #"{"taskIds":["task-2","task-1"]}"#)
        #expect(post.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let get = try request()
        #expect(get.httpMethod == "GET")
        #expect(get.httpBody == nil)
    }

    @Test(
        "The server's own path is kept",
        arguments: [
            ("https://tokens.example/", "https://tokens.example/token/server"),
            ("https://tokens.example:8443/api/v1", "https://tokens.example:8443/api/v1/token/server"),
            ("https://tokens.example/api//", "https://tokens.example/api/token/server"),
            ("https://tokens.example/a%2Fb", "https://tokens.example/a%2Fb/token/server"),
            ("HTTPS://Tokens.example", "https://Tokens.example/token/server"),
            ("http://localhost:8080", "http://localhost:8080/token/server"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/token/server"),
            ("http://[::1]:8080", "http://[::1]:8080/token/server"),
        ]
    )
    func basePath(server: String, expected: String) throws {
        #expect(try url(server, .server) == expected)
    }

    @Test(
        "Samples: No segment changes host, path or query",
        arguments: [
            "//evil.example", "../server", "%2e%2e", "a/b", "a\\b", "a?x=1", "a#b", "a;b", "a&b",
            "https://evil.example",
            "a@evil.example", ":8080", " ", "a b", "a\r\nHost: evil", "\u{0}", "é", "e\u{301}", "😀", "%", "%2F", "*",
        ]
    )
    func hostileSegments(segment: String) throws {
        let request = try request(path: ["token", segment])
        let url = try #require(request.url)
        #expect(url.scheme == "https")
        #expect(url.host == "tokens.example")
        #expect(url.port == nil)
        #expect(url.query == nil)
        #expect(url.fragment == nil)
        let path = url.absoluteString.utf8.dropFirst("https://tokens.example".utf8.count)
        #expect(path.filter { $0 == UInt8(ascii: "/") }.count == 2)
        let last = try #require(path.split(separator: UInt8(ascii: "/")).last)
        let decoded = try #require(String(decoding: last, as: UTF8.self).removingPercentEncoding)
        #expect(decoded.utf8.elementsEqual(segment.utf8))
    }

    @Test("An empty segment, `.` and `..` are refused", arguments: ["", ".", ".."])
    func refusedSegments(segment: String) {
        let error = #expect(throws: TokenProviderError.self) { try request(path: ["token", segment]) }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test(
        "A server URL that could leak or mislead is refused",
        arguments: [
            "tokens.example", "/token", "ftp://tokens.example", "file:///etc/passwd", "https:", "https://",
            "https://user@tokens.example", "https://user:password@tokens.example", "https://tokens.example?x=1",
            "https://tokens.example/?", "https://tokens.example/#", "http://tokens.example", "http://192.168.1.5:8080",
            "http://127.0.0.1.evil.example", "http://localhost.evil.example",
        ]
    )
    func refusedServers(server: String) async throws {
        let source = HTTPTokenSource(server: try #require(URL(string: server)))
        let error = await #expect(throws: TokenProviderError.self) {
            try await source.fetchToken(for: TokenFetchContext(scope: .server))
        }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.needsAction == true)
        #expect(error?.message.contains("password") == false)
    }

    @Test("Plain http to another host works once it was allowed")
    func insecureHTTP() throws {
        let request = try request(to: "http://192.168.1.5:8080", insecure: true, path: ["x"])
        #expect(request.url?.absoluteString == "http://192.168.1.5:8080/x")
    }

    @Test("Credentials go into the header as they are")
    func credentials() throws {
        let request = try request(fields: ["Authorization": "Bearer abc", "X-App": "1"])
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer abc")
        #expect(request.value(forHTTPHeaderField: "X-App") == "1")
    }

    @Test(
        "A header field that could carry another is refused and not shown",
        arguments: [
            ("Authorization", "Bearer SECRET\r\nX-Admin: 1"), ("Authorization", "Bearer SECRET\n"),
            ("Authorization", "SECRET\u{0}"),
            ("Authorization", "SECRETé"), ("X SECRET", "1"), ("", "SECRET"), ("X-SECRET:", "1"), ("X\r\nSECRET", "1"),
        ]
    )
    func headerInjection(name: String, value: String) {
        let error = #expect(throws: TokenProviderError.self) { try request(fields: [name: value]) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error.map { "\($0)".contains("SECRET") } == false)
    }
}
