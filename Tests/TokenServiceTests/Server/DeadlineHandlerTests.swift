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
        var policy = ConnectionPolicy()
        // A request that is not whole when the handler looks is late.
        policy.receive = .zero
        channel = EmbeddedChannel(handlers: [DeadlineHandler(policy), errors])
        try channel.connect()
    }

    private func tick() { channel.embeddedEventLoop.advanceTime(by: .seconds(1)) }

    @Test func aRequestThatIsNotWholeInTimeIsLate() throws {
        try channel.begin("/1")
        tick()
        #expect(errors.count == 1)
    }

    @Test func theTimeOfARequestBehindOthersStartsWithTheLastResponseToThem() throws {
        try channel.begin("/1")
        try channel.end()
        try channel.begin("/2")
        tick()
        #expect(errors.count == 0)

        channel.writeAndFlush(Response(status: .ok), promise: nil)
        tick()
        #expect(errors.count == 1)
    }

    @Test("The time of a later request starts with its first byte, not with its complete head")
    func laterHead() throws {
        try channel.begin("/1")
        try channel.end()
        channel.writeAndFlush(Response(status: .ok), promise: nil)
        tick()
        #expect(errors.count == 0, "an idle connection has more time")
        channel.pipeline.fireUserInboundEventTriggered(ReceiptHandler.BytesReceived())
        tick()
        #expect(errors.count == 1)
    }

    @Test func anEarlyResponseGivesTheRequestNoMoreTime() throws {
        try channel.begin("/1")
        channel.writeAndFlush(Response(status: .contentTooLarge), promise: nil)
        tick()
        #expect(errors.count == 1)
    }
}
