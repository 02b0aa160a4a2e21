import NIOCore

/// Announces bytes of a connection before they are parsed.
///
/// The parser keeps the bytes of a head until it is complete, so that the time of a slow head could not be measured
/// behind it.
final class ReceiptHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Bytes have been received.
    struct BytesReceived {}

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireUserInboundEventTriggered(BytesReceived())
        context.fireChannelRead(data)
    }
}
