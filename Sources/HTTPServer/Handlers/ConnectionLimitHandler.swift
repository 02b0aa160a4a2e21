import NIOCore

/// Closes a connection over the limit before a byte of it is read.
///
/// It also limits HTTP/2 streams: each costs as much as an HTTP/1.1 connection.
final class ConnectionLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let counter: ConnectionCounter
    /// Written before a connection over the limit is closed.
    private let refusal: NIOAny?

    init(_ counter: ConnectionCounter, refusal: NIOAny? = nil) {
        self.counter = counter
        self.refusal = refusal
    }

    func channelActive(context: ChannelHandlerContext) {
        let address = context.channel.remoteAddress?.ipAddress ?? "unknown"
        guard counter.add(address) else {
            if let refusal { context.writeAndFlush(refusal, promise: nil) }
            context.close(promise: nil)
            return
        }
        context.channel.closeFuture.whenComplete { [counter] _ in counter.remove(address) }
        context.fireChannelActive()
        // Nothing is left to do, and each event of the connection would pass through here.
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}

@available(*, unavailable)
extension ConnectionLimitHandler: Sendable {}
