import Foundation
import TestTools
import Testing

@testable import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.watchdog)
struct HTTPSessionTests {
    private let server: FakeTokenServer

    init() throws {
        server = try FakeTokenServer()
    }

    private func source() -> TokenFetcher {
        TokenFetcher(TokenServer(server.url)) { _ in ["Authorization": "Bearer CREDENTIAL"] }
    }

    private func deliver(_ delivery: LoopbackResponse.Delivery, body: [UInt8]? = nil) {
        server.misbehave { _, proper in
            var response = proper
            response.delivery = delivery
            response.body = body ?? proper.body
            return response
        }
    }

    private func failure(_ source: TokenFetcher? = nil) async -> TokenProviderError? {
        let source = source ?? self.source()
        return await #expect(throws: TokenProviderError.self) {
            try await source.token(for: TokenRequest(.server))
        }
    }

    @Test(
        arguments: [LoopbackResponse.Delivery.openEnded, .headOnly]
    )
    func `A body over the limit is not waited for, whether it announces its size or not`(
        delivery: LoopbackResponse.Delivery
    ) async {
        deliver(delivery, body: [UInt8](repeating: UInt8(ascii: " "), count: 65_537))
        #expect(await failure()?.code == .unexpectedResponse)
    }

    @Test(
        arguments: [
            .end, .reset, .truncated, .raw("garbage\r\n\r\n"), .raw("HTTP/1.1\r\n\r\n"), .raw("HTTP/1.1 x\r\n\r\n"),
            .raw("HTTP/1.1 20\r\n\r\n"), .raw("HTTP/7.3 200 OK\r\n\r\n"), .raw("SSH-2.0-x\r\n"),
            .raw("\u{15}\u{3}\u{1}"),
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{"),
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
            .raw("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"),
            .raw("HTTP/1.1 304 Not Modified\r\n\r\n"), .raw("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n"),
        ] as [LoopbackResponse.Delivery]
    )
    func `A connection that breaks and a response that is not HTTP are transient errors`(
        delivery: LoopbackResponse.Delivery
    ) async {
        deliver(delivery)
        let error = await failure()
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("server") == true)
    }

    @Test(arguments: [("GET", 2), ("POST", 1)])
    func `A GET is sent once more after its connection is lost, and a POST is not`(
        method: String,
        requests: Int
    ) async throws {
        let isLost = Lock(true)
        server.misbehave { _, proper in
            var response = proper
            let isFirst = isLost.withLock { isLost in
                defer { isLost = false }
                return isLost
            }
            if isFirst { response.delivery = .reset }
            return response
        }
        var description = TokenServer(server.url)
        description.request = { url, request in
            var outgoing = try TokenServer.standardRequest(url, request)
            outgoing.httpMethod = method
            return outgoing
        }
        let token = try? await TokenFetcher(description) { _ in [:] }.token(for: TokenRequest(.server))
        #expect((token != nil) == (method == "GET"))
        #expect(server.requests.count == requests)
    }

    @Test
    func `A body in gzip is read`() async throws {
        let body = try #require(
            Data(
                base64Encoded: "H4sIAAAAAAACA6tWKsnPTs1TslJKNTbQA2FHRyUdpdSKgsyi1GLPvODU5Py8lGIlK0MjA4NaAKg51CcuAAAA"
            )
        )
        server.misbehave { _, proper in
            var response = proper
            response.fields.append(("Content-Encoding", "gzip"))
            response.body = Array(body)
            return response
        }
        let token = try await source().token(for: TokenRequest(.server))
        #expect(token.lifetime.seconds(deviceClock: Date().timeIntervalSince1970) == 1200)
    }

    #if !canImport(FoundationNetworking)
    // FoundationNetworking ends the process (swiftlang/swift-corelibs-foundation#5285, mended after Swift 6.3).
    @Test(
        arguments: [.raw("HTTP/1.1 200 OK\r\nContent-Le"), .raw("HTTP/1.1 100 Continue\r\n\r\n")]
            as [LoopbackResponse.Delivery]
    )
    func `A head that breaks off is a transient error`(delivery: LoopbackResponse.Delivery) async {
        deliver(delivery)
        #expect(await failure()?.code == .unavailable)
    }
    #endif

    @Test(
        arguments: [
            "Basic", "Basic realm=\"tokens\"", "BASIC realm=tokens", "Digest realm=\"a\", nonce=\"b\", qop=\"auth\"",
            "Digest realm=\"a\"", "Bearer", "Bearer realm=\"a\", Basic realm=\"b\"", "Basic realm=\"a\", Bearer",
            "Negotiate", "NTLM", "DPoP algs=\"ES256\"", "Basic realm=\"open", "Basic realm=", ", , ,", "", "=",
        ]
    )
    func `A 401 is a response at once, whatever its challenge`(field: String) async {
        server.answer(401, [("WWW-Authenticate", field)])
        let error = await failure()
        #expect(error?.code == .unauthenticated)
        #expect(error?.httpStatus == 401)
        #expect(server.requests.count == 1)
    }

    @Test
    func `A 401 with several challenges or a Location is unauthenticated; a 407 is invalidArgument`() async {
        server.answer(401, [("WWW-Authenticate", "Basic realm=\"a\""), ("WWW-Authenticate", "Digest realm=\"b\"")])
        #expect(await failure()?.code == .unauthenticated)
        server.answer(401, [("WWW-Authenticate", "Basic"), ("Location", "/token/server")])
        #expect(await failure()?.code == .unauthenticated)
        server.answer(407, [("Proxy-Authenticate", "Basic realm=\"a\"")])
        #expect(await failure()?.code == .invalidArgument)
    }

    @Test
    func `A server that refuses connections is a transient error`() async throws {
        let address = try LoopbackServer { _ in LoopbackResponse() }
        address.stop()
        let url = try #require(URL(string: "http://127.0.0.1:\(address.port)"))
        let error = await failure(TokenFetcher(TokenServer(url)) { _ in [:] })
        #expect(error?.code == .unavailable)
        #expect(error?.remedy == .wait)
    }

    @Test(arguments: 0..<20)
    func `Cancelling ends a fetch at once, before, while or after it starts`(round: Int) async throws {
        deliver(.silence)
        let source = source()
        let task = Task { try await source.token(for: TokenRequest(.server)) }
        if round % 2 == 0 { try await server.waitForRequests(1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test
    func `Cancelling a fetch at any moment, also while its response arrives, causes no crash and no hang`() async {
        let source = source()
        for round in 0..<1_000 {
            let task = Task { try await source.token(for: TokenRequest(.server)) }
            // A response takes some hundred microseconds.
            let moment = DispatchTime.now() + .microseconds(round % 100 * 8)
            while DispatchTime.now() < moment {}
            task.cancel()
            _ = await task.result
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A redirection is not followed, not even on the same server`(status: Int) async throws {
        let other = try FakeTokenServer()
        for target in ["\(other.url)/token/server", "/token/server?"] {
            server.answer(status, [("Location", target)])
            let error = await failure()
            #expect(error?.code == .invalidConfiguration && error?.httpStatus == status)
        }
        #expect(other.requests.isEmpty)
        #expect(server.requests.map(\.target) == ["/token/server", "/token/server"])
    }

    @Test
    func `A source that is released leaves no session behind`() async throws {
        weak var delegate: TransferDelegate?
        weak var transport: HTTPSession?
        do {
            let source = source()
            _ = try await source.token(for: TokenRequest(.server))
            transport = source.session
            delegate = source.session.delegate
        }
        #expect(transport == nil)
        // The session lets go of its delegate on a queue of its own.
        while delegate != nil { try await Task.sleep(nanoseconds: 1_000_000) }
    }
}
