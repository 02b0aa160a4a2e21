import NIOCore

/// Closes a connection that is one too many, before a byte of it is read.
///
/// It also bounds the streams of HTTP/2: each takes what an HTTP/1.1 connection would.
final class ConnectionLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let counter: ConnectionCounter
    /// Written before one too many is closed.
    private let refusal: NIOAny?
    private var countedAddress: String?

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
        countedAddress = address
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let countedAddress { counter.remove(countedAddress) }
        countedAddress = nil
        context.fireChannelInactive()
    }
}

@available(*, unavailable)
extension ConnectionLimitHandler: Sendable {}
