import AsyncHTTPClient
import FleetToken
import JOSE
import NIOSSL
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport

/// Requests over real connections: one response, bounded in size and time, neither followed elsewhere nor unpacked; TLS
/// as strict as it should be, and failures that are named.
@Suite(.watchdog)
struct OutgoingClientTests {
    private static let largestKeySet = 262_144

    /// Sends a request with a client of its own.
    private static func send(_ request: OutgoingRequest) async throws -> OutgoingResponse {
        try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
            try await OutgoingClient(client, clock: .system).send(request)
        }
    }

    private func run(_ body: @escaping @Sendable (TestIssuer, OutgoingClient) async throws -> Void) async throws {
        try await TestIssuer.run { server in
            try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                try await body(server, OutgoingClient(client, clock: .system))
            }
        }
    }

    @Test(arguments: [TestIssuer.Answer.silence, .dribble])
    func `A cancelled request keeps no connection`(answer: TestIssuer.Answer) async throws {
        try await run { server, http in
            server.answer(answer)
            for round in 1...50 {
                let task = Task { try await http.send(OutgoingRequest(.get, server.url)) }
                await server.waitUntil { requests, _ in requests == round }
                task.cancel()
                await #expect(throws: OutgoingError.self) { try await task.value }
                await server.waitUntil { _, abandoned in abandoned == round }
            }
        }
    }

    @Test(arguments: ["identity", "gzip"])
    func `A response arrives as it was sent, and a compressed one is not unpacked`(encoding: String) async throws {
        let fields = "Content-Type: text/plain\r\nContent-Encoding: \(encoding)\r\nContent-Length: 4"
        try await RawServer.run(.answer("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nbody")) { server in
            let response = try await Self.send(OutgoingRequest(.get, "http://127.0.0.1:\(server.port)/"))
            #expect(response.status == 200 && response.body.revealText() == "body" && response.retryAfter() == nil)
            #expect(response.headers["content-type"] == "text/plain")
        }
    }

    @Test
    func `A redirect is a response like others, and its target gets no request`() async throws {
        try await TestIssuer.run { elsewhere in
            try await run { server, http in
                for target in [elsewhere.url, "\(server.url)2"] {
                    server.answer(.redirect(target))
                    let response = try await http.send(OutgoingRequest(.get, server.url))
                    #expect(response.status == 302)
                }
                #expect(server.requests == 2)
            }
            #expect(elsewhere.requests == 0)
        }
    }

    @Test(
        arguments: [1000, largestKeySet]
    )
    func `A response over the request's limit is refused, with and without a length`(size: Int) async throws {
        try await run { server, http in
            server.answer(.document(Array(repeating: 0x20, count: size)))
            var request = OutgoingRequest(.get, server.url)
            request.maximumSize = size
            let response = try await http.send(request)
            #expect(response.body.reveal().count == size)
            request.maximumSize = size - 1
            let smaller = request
            await #expect(throws: OutgoingError.tooLarge) { _ = try await http.send(smaller) }
            server.answer(.endless)
            await #expect(throws: OutgoingError.tooLarge) { _ = try await http.send(smaller) }
        }
    }

    @Test(
        arguments: [
            ("30", 30), ("12.5", 12.5), ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("86400", 3600),
            (String(repeating: "9", count: 40), 3600), ("soon", nil),
        ] as [(String, Double?)]
    )
    func `A Retry-After is a number of seconds or a date, and at most an hour`(field: String, seconds: Double?)
        async throws
    {
        try await run { server, http in
            server.answer(.unavailable(retryAfter: field))
            let response = try await http.send(OutgoingRequest(.get, server.url))
            #expect(response.status == 503 && response.retryAfter() == seconds)
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
        try await RawServer.run(.answer("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\nresponse-secret")) { server in
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

    @Test
    func `A certificate that is not trusted is named as the reason`() async throws {
        let server = try TestCertificate(for: "localhost").server()
        let failure = try await Self.failure(tls: server)
        #expect(failure.contains("certificate not trusted"), "\(failure)")
        #expect(!failure.contains("/"), "\(failure)")
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
        try await run { server, http in
            server.answer(.silence)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<40 { group.addTask { _ = try? await http.send(OutgoingRequest(.get, server.url)) } }
                await server.waitUntil { requests, _ in requests == 40 }
                group.cancelAll()
            }
        }
    }
}
