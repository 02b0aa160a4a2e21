import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import TokenService

/// How long requests, their responses and idle connections may take, by the clock of an event loop that tests advance.
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
        policy.receive = .seconds(10)
        policy.handle = .seconds(60)
        policy.idle = .seconds(30)
        channel = EmbeddedChannel(handlers: [DeadlineHandler(policy), errors])
        try channel.connect()
    }

    private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    private func receiveBytes() { channel.pipeline.fireUserInboundEventTriggered(ReceiptHandler.BytesReceived()) }

    private func respond(_ response: Response = Response(status: .ok)) {
        channel.writeAndFlush(response, promise: nil)
    }

    private func exchange() throws {
        try channel.begin("/1")
        try channel.end()
        respond()
    }

    @Test
    func `A connection without a request is late after the time to receive one`() {
        pass(9)
        #expect(errors.count == 0)
        pass(1)
        #expect(errors.count == 1)
    }

    @Test
    func `A request is late when its last byte is, however its bytes are spread`() throws {
        pass(9)
        receiveBytes()
        for _ in 0..<9 {
            pass(1)
            receiveBytes()
        }
        try channel.begin("/1")
        try channel.receive(1)
        #expect(errors.count == 0, "the time starts with the first byte")
        pass(1)
        #expect(errors.count == 1)
        pass(100)
        #expect(errors.count == 1, "once")
    }

    @Test
    func `The time of a request behind others starts with the last response to them`() throws {
        for path in ["/1", "/2"] {
            try channel.begin(path)
            try channel.end()
        }
        try channel.begin("/3")
        for _ in 0..<2 {
            pass(50)
            #expect(errors.count == 0 && channel.isActive)
            respond()
        }
        pass(9)
        #expect(errors.count == 0)
        pass(1)
        #expect(errors.count == 1)
    }

    @Test
    func `The time of a later request starts with its first byte, not with its complete head`() throws {
        try exchange()
        pass(29)
        #expect(errors.count == 0 && channel.isActive, "an idle connection has more time")
        receiveBytes()
        pass(9)
        #expect(errors.count == 0 && channel.isActive)
        pass(1)
        #expect(errors.count == 1)
    }

    @Test
    func `An early response gives its request no more time`() throws {
        try channel.begin("/1")
        pass(5)
        respond(Response(status: .contentTooLarge))
        pass(4)
        #expect(errors.count == 0)
        pass(1)
        #expect(errors.count == 1)
    }

    @Test
    func `An idle connection is closed, and that is no error`() throws {
        try exchange()
        pass(29)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive && errors.count == 0)
    }

    @Test
    func `Each response has the whole time from the previous one, and a connection whose response is late is closed`()
        throws
    {
        for _ in 0..<2 {
            try channel.begin("/1")
            try channel.end()
        }
        pass(59)
        respond()
        pass(59)
        // A further request gives the one before it no more time.
        try channel.begin("/2")
        try channel.end()
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive && errors.count == 0)
    }
}
