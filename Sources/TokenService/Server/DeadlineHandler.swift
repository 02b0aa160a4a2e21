import NIOCore
import NIOHTTPTypes

/// Bounds how long a request takes to arrive and its answer to be written.
///
/// The framework's idle time-out begins anew with each byte, so a client that dribbles would hold its connection for
/// ever. This begins with the connection, or the request, and ends with its last byte.
final class DeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The request didn't arrive whole in time.
    struct RequestTooSlow: Error {}

    private let receive: TimeAmount
    private let handle: TimeAmount
    private var receiving: Scheduled<Void>?
    private var handling: Scheduled<Void>?

    init(receive: TimeAmount, handle: TimeAmount) {
        self.receive = receive
        self.handle = handle
    }

    func channelActive(context: ChannelHandlerContext) {
        startReceiving(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: startReceiving(context)
        case .body: break
        case .end:
            receiving?.cancel()
            receiving = nil
            startHandling(context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            handling?.cancel()
            handling = nil
        }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        receiving?.cancel()
        handling?.cancel()
        context.fireChannelInactive()
    }

    private func startReceiving(_ context: ChannelHandlerContext) {
        receiving?.cancel()
        receiving = context.eventLoop.assumeIsolated().scheduleTask(in: receive) {
            context.fireErrorCaught(RequestTooSlow())
        }
    }

    private func startHandling(_ context: ChannelHandlerContext) {
        guard handling == nil else { return }
        handling = context.eventLoop.assumeIsolated().scheduleTask(in: handle) {
            context.close(promise: nil)
        }
    }
}

@available(*, unavailable)
extension DeadlineHandler: Sendable {}
