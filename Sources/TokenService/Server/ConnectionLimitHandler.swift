import NIOCore
import NIOHTTPTypes

/// Closes a connection that is one too many, before a byte of it is read.
final class ConnectionLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let counter: ConnectionCounter
    private var countedAddress: String?

    init(_ counter: ConnectionCounter) {
        self.counter = counter
    }

    func channelActive(context: ChannelHandlerContext) {
        let address = context.channel.remoteAddress?.ipAddress ?? "unknown"
        guard counter.add(address) else {
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
