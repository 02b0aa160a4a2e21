import HTTPTypes
import NIOCore
import ServiceSupport

/// Responds to the first bytes of a connection over the limit with 503, and closes it.
///
/// The client's bytes are dropped, and the connection stays half open for a moment: if it were closed while bytes of the
/// client are unread, the system would reset it, and the client would lose the response.
final class RefusedConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The maximum time for the client's request, and for reading the response.
    private static let limit = TimeAmount.seconds(2)
    /// The longest time after which clients are told to retry, in seconds; each is told another one.
    private static let maximumRetry = 5

    private let response: @Sendable (ProtocolError) -> Response
    private let clock: ServiceClock
    private var isRefused = false

    init(response: @escaping @Sendable (ProtocolError) -> Response, clock: ServiceClock) {
        self.response = response
        self.clock = clock
    }

    // The other handlers never learn of the connection.

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Self.limit) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        isRefused = true
        let retryAfter = 1 + Int(clock.random() * Double(Self.maximumRetry))
        var response = response(.tooManyConnections(retryAfter: retryAfter))
        response.headers[.connection] = "close"
        let bytes = ResponseBuffer.current.bytes { response.write(to: &$0) }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        context.close(mode: .output, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The client has closed its side, or the service shuts down.
        if case .outputClosed? = event as? ChannelEvent { return }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

@available(*, unavailable)
extension RefusedConnectionHandler: Sendable {}
