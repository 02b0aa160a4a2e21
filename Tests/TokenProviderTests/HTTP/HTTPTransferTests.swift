import FleetToken
import Foundation
import Testing

@testable import TokenProvider

/// What can go wrong between the request and the last byte of the answer.
@Suite(.timeLimit(.minutes(2)))
struct HTTPTransferTests {
    private let server: FakeTokenServer

    init() throws {
        server = try FakeTokenServer()
    }

    private func source(timeout: TimeInterval = 60) -> HTTPTokenSource {
        var configuration = HTTPTokenSource.Configuration()
        configuration.timeout = timeout
        return HTTPTokenSource(server: server.url, configuration: configuration) {
            ["Authorization": "Bearer CREDENTIAL"]
        }
    }

    private func deliver(_ delivery: LoopbackResponse.Delivery, body: [UInt8]? = nil) {
        server.misbehave { _, proper in
            var response = proper
            response.delivery = delivery
            response.body = body ?? proper.body
            return response
        }
    }

    private func failure(_ source: HTTPTokenSource? = nil) async -> TokenProviderError? {
        let source = source ?? self.source()
        return await #expect(throws: TokenProviderError.self) { try await source.fetchToken(for: .server) }
    }

    @Test("A body without an announced size ends at the limit, not when the server ends it")
    func openEndedBody() async {
        deliver(.openEnded, body: [UInt8](repeating: UInt8(ascii: " "), count: 65_537))
        #expect(await failure()?.code == .unexpectedResponse)
    }

    @Test("A body that announces its size over the limit is not waited for")
    func announcedTooLarge() async {
        deliver(.headOnly, body: [UInt8](repeating: UInt8(ascii: " "), count: 65_537))
        #expect(await failure()?.code == .unexpectedResponse)
    }

    @Test("A body of exactly the limit is read")
    func exactlyTheLimit() async throws {
        server.misbehave { _, proper in
            var response = proper
            response.body += [UInt8](repeating: UInt8(ascii: " "), count: 65_536 - proper.body.count)
            return response
        }
        #expect(try await source().fetchToken(for: .server).lifetime == 3540)
    }

    @Test("A body that breaks off is an error that passes")
    func truncated() async {
        deliver(.truncated)
        #expect(await failure()?.recovery == .retry)
    }

    @Test(
        "B39: A server that says nothing, or stops in the middle, costs no more than the timeout",
        arguments: [
            LoopbackResponse.Delivery.silence, .headOnly,
        ]
    )
    func silence(delivery: LoopbackResponse.Delivery) async {
        deliver(delivery)
        let error = await failure(source(timeout: 1))
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.recovery == .retry)
    }

    @Test("A server that is not there is an error that passes")
    func connectionRefused() async throws {
        let address = try LoopbackServer { _ in LoopbackResponse() }
        address.stop()
        let url = try #require(URL(string: "http://127.0.0.1:\(address.port)"))
        let error = await failure(HTTPTokenSource(server: url))
        #expect(error?.code == .unavailable)
        #expect(error?.recovery == .retry)
    }

    @Test("B2: Cancelling ends a fetch at once, before, while or after it starts", arguments: 0..<20)
    func cancellation(round: Int) async throws {
        deliver(.silence)
        let source = source()
        let task = Task { try await source.fetchToken(for: .server) }
        if round % 2 == 0 { await server.waitForRequests(1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A redirection to another host is refused, and the credentials stay")
    func redirectedElsewhere() async throws {
        let other = try FakeTokenServer()
        for status in [301, 302, 303, 307, 308] {
            server.answer(status, [("Location", "\(other.url)/token/server")])
            #expect(await failure()?.code == .redirected)
        }
        #expect(other.requests.isEmpty)
    }

    @Test("A redirection on the same host is followed with the credentials")
    func redirectedOnTheServer() async throws {
        server.misbehave { request, proper in
            guard request.target == "/token/server" else { return proper }
            var response = LoopbackResponse(status: 307)
            response.fields = [("Location", "/token/server?")]
            return response
        }
        _ = await failure()
        #expect(server.requests.map(\.target).suffix(1) == ["/token/server?"])
        #expect(server.requests.allSatisfy { $0["authorization"] == "Bearer CREDENTIAL" })
    }

    @Test("A redirection in a circle ends")
    func redirectedInACircle() async {
        server.answer(302, [("Location", "/token/server")])
        #expect(await failure() != nil)
        #expect(server.requests.count < 30)
    }

    @Test("B46: A source that is released leaves no session behind")
    func released() async throws {
        weak var delegate: TransferDelegate?
        weak var transport: HTTPTransport?
        do {
            let source = source()
            _ = try await source.fetchToken(for: .server)
            transport = source.transport
            delegate = source.transport.delegate
        }
        #expect(transport == nil)
        // The session lets go of its delegate on a queue of its own.
        while delegate != nil { try await Task.sleep(nanoseconds: 1_000_000) }
    }
}
