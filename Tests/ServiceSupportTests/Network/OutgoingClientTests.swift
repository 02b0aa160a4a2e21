import AsyncHTTPClient
import FleetToken
import Foundation
import NIOCore
import NIOSSL
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport

/// Requests over real connections: one response, bounded in size and time, neither followed elsewhere nor unpacked; TLS
/// as strict as it should be, and failures that are named.
@Suite(.watchdog)
struct OutgoingClientTests {
    /// Sends a request with a client of its own.
    private static func send(
        _ request: OutgoingRequest,
        clock: ServiceClock = .system,
        configuration: HTTPClient.Configuration = .outgoing
    ) async throws -> OutgoingResponse {
        try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            try await OutgoingClient(client, clock: clock).send(request)
        }
    }

    private static func http(_ status: String, _ fields: String, body: String = "") -> RawServer.Behaviour {
        .answer("HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    @Test(arguments: [RawServer.Behaviour.silence, .answer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"keys\":")])
    func `A cancelled request keeps no connection`(behaviour: RawServer.Behaviour) async throws {
        try await RawServer.run(behaviour) { server in
            try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                let http = OutgoingClient(client, clock: .system)
                for round in 1...50 {
                    let task = Task { try await http.send(OutgoingRequest(.get, server.url)) }
                    try await server.waitUntil { $0.requests.count == round }
                    task.cancel()
                    await #expect(throws: OutgoingError.self) { try await task.value }
                    try await server.waitUntil { $0.ended == round }
                }
            }
        }
    }

    @Test(arguments: ["identity", "gzip"])
    func `A response arrives as it was sent, and a compressed one is not unpacked`(encoding: String) async throws {
        let fields = "Content-Type: text/plain\r\nContent-Encoding: \(encoding)\r\n"
        try await RawServer.run(Self.http("200 OK", fields, body: "body")) { server in
            let response = try await Self.send(OutgoingRequest(.get, server.url))
            #expect(response.status == 200 && response.body.revealText() == "body" && response.retryAfter() == nil)
            #expect(response.headers["content-type"] == "text/plain")
        }
    }

    @Test(
        arguments: [
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"allow\r\n7\r\n\":true}\r\n0\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n\(allow)",
        ]
    )
    func `A response in chunks, or after an interim one, arrives whole`(text: String) async throws {
        try await RawServer.run(.answer(text)) { server in
            let response = try await Self.send(OutgoingRequest(.get, server.url))
            #expect(response.status == 200 && response.body.revealText() == Self.allow)
        }
    }

    @Test
    func `A redirect is a response like others, and its target gets no request`() async throws {
        try await RawServer.run(.silence) { elsewhere in
            try await RawServer.run(.silence) { server in
                for target in [elsewhere.url, "\(server.url)2"] {
                    server.behave(Self.http("302 Found", "Location: \(target)\r\n"))
                    let response = try await Self.send(OutgoingRequest(.get, server.url))
                    #expect(response.status == 302)
                }
                #expect(server.requests.count == 2)
            }
            #expect(elsewhere.requests == [])
        }
    }

    @Test(arguments: [1000, 262_144])
    func `A response over the request's limit is refused, with and without a length`(size: Int) async throws {
        try await RawServer.run(Self.http("200 OK", "", body: String(repeating: " ", count: size))) { server in
            var request = OutgoingRequest(.get, server.url)
            request.maximumSize = size
            let response = try await Self.send(request)
            #expect(response.body.reveal().count == size)
            request.maximumSize = size - 1
            let smaller = request
            await #expect(throws: OutgoingError.tooLarge) { _ = try await Self.send(smaller) }
            let spaces = String(repeating: " ", count: 4096)
            server.behave(.flood("HTTP/1.1 200 OK\r\n\r\n", then: spaces))
            await #expect(throws: OutgoingError.tooLarge) { _ = try await Self.send(smaller) }
            let chunk = "1000\r\n\(spaces)\r\n"
            server.behave(.flood("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", then: chunk))
            await #expect(throws: OutgoingError.tooLarge) { _ = try await Self.send(smaller) }
        }
    }

    @Test(
        arguments: [
            ("silence", .silence),
            ("slow interim responses", .dribble("", then: "HTTP/1.1 102 Processing\r\n\r\n")),
            ("slow body", .dribble("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n", then: " ")),
        ] as [(String, RawServer.Behaviour)]
    )
    func `A response that is not complete in the request's time is an error`(
        _ name: String,
        behaviour: RawServer.Behaviour
    ) async throws {
        try await RawServer.run(behaviour) { server in
            let clock = TestClock()
            var request = OutgoingRequest(.get, server.url)
            request.timeout = .milliseconds(1500)
            let limited = request
            let response = Task { try await Self.send(limited, clock: clock.service) }
            try await clock.waitForSleepers()
            try await server.waitUntilAnswered()
            #expect(clock.sleeps == [1.5])
            clock.advance(by: 1.5)
            await #expect(throws: OutgoingError.timedOut) { _ = try await response.value }
            #expect(server.requests.count == 1)
        }
    }

    private static let allow = #"{"allow":true}"#

    @Test(
        arguments: [
            RawServer.Behaviour.answerAndReset(""),
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
    func `A broken connection or response is an error without the response's text`(
        behaviour: RawServer.Behaviour
    ) async throws {
        try await RawServer.run(behaviour) { server in
            let error = await #expect(throws: OutgoingError.self) {
                try await Self.send(OutgoingRequest(.post, server.url))
            }
            let reason = error?.description ?? ""
            #expect(!reason.contains("allow") && !reason.isEmpty)
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
    func `A port without a listener is named in the error`() async throws {
        // Port 1 on loopback, where nobody listens.
        await #expect(throws: OutgoingError.failed("Connection refused")) {
            _ = try await Self.send(OutgoingRequest(.get, "http://127.0.0.1:1/"))
        }
    }

    @Test
    func `The bearer token, the fields and the body are sent, and no description shows a secret`() async throws {
        try await RawServer.run(Self.http("200 OK", "", body: "response-secret")) { server in
            var request = OutgoingRequest(.post, "http://127.0.0.1:\(server.port)/path?a=b")
            request.bearer = Secret("bearer-secret")
            request.body = Secret("body-secret")
            request.headers = [(name: "X-Request-Id", value: "request-1")]
            let response = try await Self.send(request)
            #expect(response.body.revealText() == "response-secret")
            var texts = ["\(request)", "\(response)", String(reflecting: request), String(reflecting: response)]
            for value in [request, response] as [Any] {
                var dumped = ""
                dump(value, to: &dumped)
                texts.append(dumped)
            }
            #expect(texts.allSatisfy { !$0.contains("-secret") })
            let received = try #require(server.requests.first)
            #expect(received.hasPrefix("POST /path?a=b HTTP/1.1\r\n"))
            #expect(received.contains("Authorization: Bearer bearer-secret\r\n"))
            #expect(received.contains("X-Request-Id: request-1\r\n"))
            #expect(received.hasSuffix("\r\n\r\nbody-secret"))
        }
    }

    // MARK: TLS and kept connections

    /// Returns why a request to a server with TLS has no response.
    private static func failure(tls: NIOSSLContext) async throws -> String {
        var failure = ""
        try await RawServer.run(.silence, tls: tls) { server in
            let error = await #expect(throws: OutgoingError.self) {
                try await Self.send(OutgoingRequest(.get, "https://localhost:\(server.port)/"))
            }
            failure = error?.description ?? ""
            #expect(server.requests == [])
        }
        return failure
    }

    @Test(
        arguments: [
            (.tlsv11, nil),
            (.tlsv12, [.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA]),
        ] as [(TLSVersion, [NIOTLSCipher]?)]
    )
    func `TLS before 1.2, and cipher suites without authenticated encryption, are refused`(
        version: TLSVersion,
        suites: [NIOTLSCipher]?
    ) async throws {
        let certificate = try TestCertificate(for: "localhost")
        let server = try certificate.server(maximumVersion: version, cipherSuites: suites)
        #expect(try await Self.failure(tls: server).contains("TLS handshake failed"))
    }

    @Test(
        arguments: [
            ("trusted", ""), ("unknown authority", "certificate not trusted"),
            ("other authority", "certificate not trusted"), ("other name", "host name mismatch"),
            ("expired", "certificate not trusted"), ("without TLS", "timed out"),
        ]
    )
    func `Only a server with a trusted certificate for its host gets the request`(
        name: String,
        hint: String
    ) async throws {
        let start = Date().addingTimeInterval(name == "expired" ? -7200 : 0)
        let certificate = try TestCertificate(for: name == "other name" ? "example.com" : "localhost", at: start)
        var configuration = HTTPClient.Configuration.outgoing
        let root = name == "other authority" ? try TestCertificate(for: "localhost") : certificate
        if name != "unknown authority" {
            configuration.tlsConfiguration?.trustRoots = .certificates([root.certificate])
        }
        // A server without TLS waits for a request's end that never comes.
        if name == "without TLS" { configuration.timeout.connect = .milliseconds(50) }
        let client = configuration
        let tls = name == "without TLS" ? nil : try certificate.server()
        try await RawServer.run(Self.http("200 OK", "", body: Self.allow), tls: tls) { server in
            let request = OutgoingRequest(.get, "https://localhost:\(server.port)/")
            if name == "trusted" {
                let response = try await Self.send(request, configuration: client)
                #expect(response.status == 200)
            } else {
                let error = await #expect(throws: OutgoingError.self) {
                    try await Self.send(request, configuration: client)
                }
                let failure = error?.description ?? ""
                #expect(failure.lowercased().contains(hint) && !failure.contains("/"), "\(failure)")
            }
            #expect(server.requests.count == (name == "trusted" ? 1 : 0))
        }
    }

    /// A server may close a kept connection while the next request is on its way to it.
    @Test(
        arguments: [OutgoingRequest.Method.get, .post],
        [false, true]
    )
    func `A request on a connection that the server closes is sent once more`(
        method: OutgoingRequest.Method,
        reset: Bool
    ) async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        try await RawServer.run(.answerOnce(answer, reset: reset)) { server in
            var request = OutgoingRequest(method, "http://localhost:\(server.port)/")
            if method == .post { request.body = Secret("{}") }
            let repeated = request
            try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                for _ in 0..<3 {
                    let response = try await OutgoingClient(client, clock: .system).send(repeated)
                    #expect(response.body.revealText() == "{}")
                }
            }
            // The second and the third are sent on the connection of the one before, and then on their own.
            #expect(server.requests.count == 5)
        }
    }

    /// More than AsyncHTTPClient's default, which would let the ninth wait for the first.
    @Test
    func `Forty requests to one host do not wait for each other`() async throws {
        try await RawServer.run(.silence) { server in
            try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                let http = OutgoingClient(client, clock: .system)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<40 { group.addTask { _ = try? await http.send(OutgoingRequest(.get, server.url)) } }
                    try await server.waitUntil { $0.requests.count == 40 }
                    group.cancelAll()
                }
            }
        }
    }
}
