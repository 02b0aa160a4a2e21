import AsyncHTTPClient
import FleetToken
import Foundation
import HTTPTypes
import NIOCore
import NIOSSL
import TestSupport
import TestTools
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenIssuance

@Suite(.watchdog)
struct WebhookServerTests {
    typealias Behaviour = RawServer.Behaviour

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let behaviour: Behaviour
        let expected: WebhookResult

        init(_ description: String, _ behaviour: Behaviour, _ expected: WebhookResult) {
            testDescription = description
            self.behaviour = behaviour
            self.expected = expected
        }
    }

    private static func http(_ status: String, _ body: String, headers: String = "") -> String {
        "HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static let allow = #"{"allow":true}"#
    private static let late = WebhookResult.noResponse("it timed out after 1.5 seconds")
    private static let tooLarge = WebhookResult.noDecision("the body is larger than 65536 bytes")

    static let cases = [
        // What a webhook should do, so that the rest is denied for what it is and not because nothing works.
        Case("allow", .answer(http("200 OK", allow)), .allowed),
        Case(
            "allow in chunks",
            .answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"allow\r\n7\r\n\":true}\r\n0\r\n\r\n"),
            .allowed
        ),
        Case("allow after 103", .answer("HTTP/1.1 103 Early Hints\r\n\r\n" + http("200 OK", allow)), .allowed),
        Case(
            "503 for ever",
            .answer(http("503 Busy", "", headers: "Retry-After: 99999999999999999999999\r\n")),
            .noResponse("status 503", retryAfter: 300)
        ),
        Case(
            "endless chunks",
            .flood(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                then: "1000\r\n\(String(repeating: " ", count: 4096))\r\n"
            ),
            tooLarge
        ),
    ]

    static let lateCases = [
        Case("silence", .silence, late),
        Case("slow interim answers", .dribble("", then: "HTTP/1.1 102 Processing\r\n\r\n"), late),
        Case("slow body", .dribble("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n", then: " "), late),
    ]

    @Test(arguments: cases)
    func `A webhook denies unless its response is a clear allow`(row: Case) async throws {
        try await RawServer.run(row.behaviour) { server in
            try await Self.withWebhook(port: server.port) { webhook in
                let answer = try await Self.answer(of: webhook)
                #expect(answer == row.expected)
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: lateCases)
    func `A response that is late denies`(row: Case) async throws {
        try await RawServer.run(row.behaviour) { server in
            let clock = TestClock()
            try await Self.withWebhook(port: server.port, clock: clock.service) { webhook in
                async let answer = Self.answer(of: webhook)
                await clock.waitForSleepers()
                await server.waitUntilAnswered()
                #expect(clock.sleeps == [1.5])
                clock.advance(by: 1.5)
                let result = try await answer
                #expect(result == row.expected)
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test(
        arguments: [
            Behaviour.answerAndReset(""),
            .answerAndReset("HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n"),
            .answerAndClose(""),
            .answerAndClose("HTTP/1.1 200 OK\r\nContent-Le"),
            .answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n" + allow),
            .answerAndClose("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ne\r\n\(allow)\r\n"),
            .answerAndClose(allow),
            .answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 14\r\nContent-Length: 15\r\n\r\n" + allow),
            .answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n" + allow),
            .answerAndClose("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\(allow)\r\n0\r\n\r\n"),
            .answerAndClose("\u{16}\u{3}\u{1}\u{2}"),
        ]
    )
    func `A broken connection or response denies`(behaviour: Behaviour) async throws {
        try await RawServer.run(behaviour) { server in
            try await Self.withWebhook(port: server.port) { webhook in
                let answer = try await Self.answer(of: webhook)
                let reason = answer.reason()
                #expect(!reason.contains("allow") && !reason.isEmpty)
            }
            // A connection that ends before a response begins may have been a kept one.
            let hasBegun =
                switch behaviour {
                case .answerAndClose(""), .answerAndReset(""): false
                default: true
                }
            #expect(server.requests.count == (hasBegun ? 1 : 2))
        }
    }

    @Test
    func `The caller's credential is not forwarded`() async throws {
        try await RawServer.run(.answer(Self.http("200 OK", Self.allow))) { server in
            try await Self.withWebhook(port: server.port) { webhook in
                for _ in 0..<2 {
                    let answer = try await Self.answer(of: webhook)
                    #expect(answer == .allowed)
                }
            }
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 2)
            #expect(request.hasPrefix("POST /authorize?a=b HTTP/1.1\r\n"))
            #expect(request.contains("X-Request-Id: r\r\n"))
            #expect(request.hasSuffix(#""claims":{"role":"driver"}},"kind":"driver","ids":["v1"]}"#))
            for field in ["authorization", "cookie", "bearer", "of-the-token"] {
                #expect(!request.lowercased().contains(field))
            }
        }
    }

    @Test(
        arguments: [
            ("trusted", ""), ("unknown authority", "not trusted"), ("other authority", "not trusted"),
            ("other name", "host name mismatch"), ("expired", "not trusted"), ("without TLS", "timed out"),
        ]
    )
    func `Only a webhook with a trusted certificate for its host is believed, and no other gets the request`(
        name: String,
        hint: String
    ) async throws {
        let start = Date().addingTimeInterval(name == "expired" ? -7200 : 0)
        let certificate = try TestCertificate(for: name == "other name" ? "example.com" : "localhost", at: start)
        var client = HTTPClient.Configuration.outgoing
        let root = name == "other authority" ? try TestCertificate(for: "localhost") : certificate
        if name != "unknown authority" { client.tlsConfiguration?.trustRoots = .certificates([root.certificate]) }
        // A server without TLS waits for a request's end that never comes.
        if name == "without TLS" { client.timeout.connect = .milliseconds(50) }
        let tls = name == "without TLS" ? nil : try certificate.server()
        let configuration = client
        try await RawServer.run(.answer(Self.http("200 OK", Self.allow)), tls: tls) { server in
            let (scheme, port) = ("https", server.port)
            try await Self.withWebhook(scheme: scheme, host: "localhost", port: port, client: configuration) {
                webhook in
                let answer = try await Self.answer(of: webhook)
                if name == "trusted" { return #expect(answer == .allowed) }
                let reason = answer.reason().lowercased()
                #expect(reason.contains(hint), "\(reason)")
            }
            #expect(server.requests.count == (name == "trusted" ? 1 : 0))
        }
    }

    private static func answer(of webhook: AuthorizationWebhook) async throws -> WebhookResult {
        let claims = try JSONParser.parseObject(#"{"role":"driver","jti":"of-the-token"}"#.utf8)
        let caller = Caller(method: .jwt, name: "app", subject: "subject-1", claims: claims, rateLimit: .perUser)
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: [.requestID: "r"])
        let call = IncomingCall(head, at: 0, from: "192.0.2.1", isTrusted: true)
        return try await webhook.result(for: caller, .driver(vehicle: try ResourceID("v1")), in: call)
    }

    /// Runs a webhook whose time is never over, unless the test says otherwise.
    private static func withWebhook(
        scheme: String = "http",
        host: String = "127.0.0.1",
        port: Int,
        clock: ServiceClock = .stopped(),
        client configuration: HTTPClient.Configuration = .outgoing,
        _ body: (AuthorizationWebhook) async throws -> Void
    ) async throws {
        let url = "\(scheme)://\(host):\(port)/authorize?a=b"
        try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            let webhook = try AuthorizationWebhook(
                WebhookConfiguration(name: "w", url: url, secretFile: "", claims: ["role"]),
                secret: Secret("0123456789abcdef0123456789abcdef"),
                timeout: .milliseconds(1500),
                http: OutgoingClient(client, clock: clock),
                clock: .system
            )
            try await body(webhook)
        }
    }
}

extension WebhookResult {
    /// Why there is no response.
    fileprivate func reason() -> String {
        guard case .noResponse(let reason, _) = self else {
            Issue.record("\(self)")
            return ""
        }
        return reason
    }
}
