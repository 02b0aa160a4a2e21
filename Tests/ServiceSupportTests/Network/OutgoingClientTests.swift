import AsyncHTTPClient
import FleetToken
import JOSE
import ServiceSupport
import TestSupport
import TestTraits
import Testing

/// Requests over real connections: one response, bounded in size and time, neither followed elsewhere nor unpacked.
@Suite("Outgoing HTTP", .watchdog)
struct OutgoingClientTests {
    private static let largestKeySet = 262_144

    private func run(_ body: @escaping @Sendable (TestIssuer, OutgoingClient) async throws -> Void) async throws {
        try await TestIssuer.run { server in
            try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                try await body(server, OutgoingClient(client, clock: .system))
            }
        }
    }

    @Test("A cancelled request keeps no connection", arguments: [TestIssuer.Answer.silence, .dribble])
    func cancellation(answer: TestIssuer.Answer) async throws {
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

    @Test("A response arrives as it was sent")
    func documents() async throws {
        try await run { server, http in
            let keys = try [SigningKey.shared(.es256).jwk()].keySet
            server.answer(.document(keys))
            let response = try await http.send(OutgoingRequest(.get, server.url))
            #expect(response.status == 200 && response.body.reveal() == keys && response.retryAfter() == nil)
            #expect(response.headers["content-type"] == "application/json")
        }
    }

    @Test("A compressed response is not unpacked")
    func encodings() async throws {
        try await run { server, http in
            let compressed: [UInt8] = [0x1F, 0x8B, 0x08, 0x00]
            server.answer(.encoded(compressed, "gzip"))
            let response = try await http.send(OutgoingRequest(.get, server.url))
            #expect(response.body.reveal() == compressed)
        }
    }

    @Test("A redirect is a response like others, and its target gets no request")
    func redirects() async throws {
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
        "A response over the request's limit is refused, with and without a length",
        arguments: [1000, largestKeySet]
    )
    func sizes(size: Int) async throws {
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
        "A Retry-After is a number of seconds or a date, and at most an hour",
        arguments: [
            ("30", 30), ("12.5", 12.5), ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("86400", 3600),
            (String(repeating: "9", count: 40), 3600), ("soon", nil),
        ] as [(String, Double?)]
    )
    func retryAfter(field: String, seconds: Double?) async throws {
        try await run { server, http in
            server.answer(.unavailable(retryAfter: field))
            let response = try await http.send(OutgoingRequest(.get, server.url))
            #expect(response.status == 503 && response.retryAfter() == seconds)
        }
    }

    @Test("A port without a listener is named in the error")
    func refusedConnection() async throws {
        try await run { _, http in
            // Port 1 on loopback, where nobody listens.
            await #expect(throws: OutgoingError.failed("Connection refused")) {
                _ = try await http.send(OutgoingRequest(.get, "http://127.0.0.1:1/"))
            }
        }
    }

    @Test("The bearer token, the fields and the body are sent, and no description shows a secret")
    func secrets() async throws {
        try await RawServer.run(.answer("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\nresponse-secret")) { server in
            var request = OutgoingRequest(.post, "http://127.0.0.1:\(server.port)/path?a=b")
            request.bearer = Secret("bearer-secret")
            request.body = Secret("body-secret")
            request.headers = [(name: "X-Request-Id", value: "request-1")]
            let sent = request
            try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                let response = try await OutgoingClient(client, clock: .system).send(sent)
                #expect(response.body.revealText() == "response-secret")
                var texts = ["\(sent)", "\(response)", String(reflecting: sent), String(reflecting: response)]
                for value in [sent, response] as [Any] {
                    var dumped = ""
                    dump(value, to: &dumped)
                    texts.append(dumped)
                }
                #expect(texts.allSatisfy { !$0.contains("-secret") })
            }
            let received = try #require(server.requests.first)
            #expect(received.hasPrefix("POST /path?a=b HTTP/1.1\r\n"))
            #expect(received.contains("Authorization: Bearer bearer-secret\r\n"))
            #expect(received.contains("X-Request-Id: request-1\r\n"))
            #expect(received.hasSuffix("\r\n\r\nbody-secret"))
        }
    }
}
