import AsyncHTTPClient
import FleetToken
import TestSupport
import TestTraits
import Testing

@testable import ServiceSupport
@testable import TokenMinting

/// How Google is reached over real connections.
@Suite struct HTTPGoogleTransportTests {
    private func run(_ body: @escaping @Sendable (TestIssuer, HTTPGoogleTransport) async throws -> Void) async throws {
        try await TestIssuer.run { server in
            try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                try await body(server, HTTPGoogleTransport(client: client))
            }
        }
    }

    @Test(.watchdog, arguments: [TestIssuer.Answer.silence, .dribble])
    func aRequestThatIsGivenUpKeepsNoConnection(answer: TestIssuer.Answer) async throws {
        try await run { server, transport in
            server.answer(answer)
            for round in 1...50 {
                let task = Task { try await transport.send(GoogleRequest(.get, server.url)) }
                await server.waitUntil { requests, _ in requests == round }
                task.cancel()
                await #expect(throws: GoogleTransportError.self) { try await task.value }
                await server.waitUntil { _, abandoned in abandoned == round }
            }
        }
    }

    @Test func anAnswerIsReadUpToTheRequestsLimit() async throws {
        try await run { server, transport in
            server.answer(.document(Array(repeating: 0x20, count: 1000)))
            let request = GoogleRequest(.get, server.url, maximumAnswerSize: 1000)
            let whole = try await transport.send(request)
            #expect(whole.body.reveal().count == 1000)
            let smaller = GoogleRequest(.get, server.url, maximumAnswerSize: 999)
            await #expect(throws: GoogleTransportError.tooLarge) { _ = try await transport.send(smaller) }
            server.answer(.endless)
            await #expect(throws: GoogleTransportError.tooLarge) { _ = try await transport.send(smaller) }
        }
    }

    @Test func redirectsAndEncodingsAreAnswersLikeOthers() async throws {
        try await run { server, transport in
            server.answer(.redirect("\(server.url)2"))
            let redirect = try await transport.send(GoogleRequest(.get, server.url))
            #expect(redirect.status == 302)
            let compressed: [UInt8] = [0x1F, 0x8B, 0x08, 0x00]
            server.answer(.encoded(compressed, "gzip"))
            let answer = try await transport.send(GoogleRequest(.get, server.url))
            #expect(answer.body.reveal() == compressed)
            #expect(server.requests == 2)
        }
    }

    @Test func whereNobodyListensIsNamed() async throws {
        try await run { _, transport in
            // Port 1 on loopback, where nobody listens.
            await #expect(throws: GoogleTransportError.failed("Connection refused")) {
                _ = try await transport.send(GoogleRequest(.get, "http://127.0.0.1:1/"))
            }
        }
    }
}

extension GoogleRequest {
    fileprivate init(_ method: Method, _ url: String, maximumAnswerSize: Int) {
        self.init(method, url)
        self.maximumAnswerSize = maximumAnswerSize
    }
}
