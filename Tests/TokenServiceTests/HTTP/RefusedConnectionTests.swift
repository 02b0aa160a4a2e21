import NIOCore
import NIOEmbedded
import ServiceSupport
import TestSupport
import TestTime
import Testing

@testable import HTTPServer
@testable import TokenService

/// Connections over the limit.
struct RefusedConnectionTests {
    private var response: ConnectionLimitHandler.Refusal {
        .response({ Response($0) }, TestClock(random: 0.7).service)
    }

    private func channel(
        _ counter: ConnectionCounter,
        _ refusal: ConnectionLimitHandler.Refusal
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionLimitHandler(counter, refusal: refusal))
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        return channel
    }

    @Test("Without a response a connection over the limit is closed at once")
    func closedAtOnce() throws {
        let counter = ConnectionCounter(maximum: 1, maximumPerAddress: 1, isShared: { _ in false })
        let first = try channel(counter, .none)
        #expect(first.isActive)
        #expect(try channel(counter, .none).isActive == false)
    }

    @Test("With a response a connection over the limit gets 503 for its first bytes, once, and then ends")
    func answered() throws {
        let counter = ConnectionCounter(maximum: 1, maximumPerAddress: 1, isShared: { _ in false })
        _ = try channel(counter, response)
        let refused = try channel(counter, response)
        #expect(refused.isActive)
        for _ in 0..<3 { try refused.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: h\r\n\r\n")) }
        let response = try #require(try refused.readOutbound(as: ByteBuffer.self))
        let text = String(buffer: response)
        #expect(text.hasPrefix("HTTP/1.1 503 ") && text.contains("OVERLOADED"))
        #expect(text.contains("\r\nConnection: close\r\n") || text.contains("\r\nconnection: close\r\n"))
        // As the random number has it, so that not all come back at the same time.
        #expect(text.lowercased().contains("\r\nretry-after: 4\r\n"))
        #expect(try refused.readOutbound(as: ByteBuffer.self) == nil)
        refused.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!refused.isActive)
    }

    @Test("A silent connection over the limit ends after two seconds")
    func silent() throws {
        let counter = ConnectionCounter(maximum: 1, maximumPerAddress: 1, isShared: { _ in false })
        _ = try channel(counter, response)
        let refused = try channel(counter, response)
        refused.embeddedEventLoop.advanceTime(by: .milliseconds(1999))
        #expect(refused.isActive)
        refused.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!refused.isActive)
    }

    @Test("Few connections over the limit wait for a response; further ones are closed at once")
    func bounded() throws {
        let counter = ConnectionCounter(maximum: 16, maximumPerAddress: 16, isShared: { _ in false })
        let open = try (0..<16).map { _ in try channel(counter, response) }
        #expect(open.allSatisfy { $0.isActive })
        let refused = try (0..<5).map { _ in try channel(counter, response) }
        #expect(refused.map(\.isActive) == [true, true, false, false, false])
        try refused[0].close().wait()
        refused[0].embeddedEventLoop.run()
        #expect(try channel(counter, response).isActive)
    }
}
