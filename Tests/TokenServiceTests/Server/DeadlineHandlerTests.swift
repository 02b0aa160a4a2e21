import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import ServiceConfiguration
import Testing

@testable import HTTPServer

/// The time that a request has to arrive does not pass while the service itself does not read.
struct DeadlineHandlerTests {
    private let channel: EmbeddedChannel

    /// Keeps the errors that reach it.
    private final class Errors: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart

        private(set) var count = 0

        func errorCaught(context: ChannelHandlerContext, error: any Error) { count += 1 }
    }

    private let errors = Errors()

    init() throws {
        var limits = LimitsConfiguration()
        // A request that is not whole when the handler looks is late.
        limits.receive = 0
        channel = EmbeddedChannel(handlers: [DeadlineHandler(limits), errors])
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    }

    private func begin(_ path: String) throws {
        try channel.writeInbound(
            HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "http", authority: "a", path: path))
        )
    }

    private func end() throws { try channel.writeInbound(HTTPRequestPart.end(nil)) }

    private func tick() { channel.embeddedEventLoop.advanceTime(by: .seconds(1)) }

    @Test func aRequestThatIsNotWholeInTimeIsLate() throws {
        try begin("/1")
        tick()
        #expect(errors.count == 1)
    }

    @Test func theTimeOfARequestBehindOthersStartsWithTheLastResponseToThem() throws {
        try begin("/1")
        try end()
        try begin("/2")
        tick()
        #expect(errors.count == 0)

        channel.writeAndFlush(Response(status: .ok), promise: nil)
        tick()
        #expect(errors.count == 1)
    }

    @Test func anEarlyResponseGivesTheRequestNoMoreTime() throws {
        try begin("/1")
        channel.writeAndFlush(Response(status: .contentTooLarge), promise: nil)
        tick()
        #expect(errors.count == 1)
    }
}
