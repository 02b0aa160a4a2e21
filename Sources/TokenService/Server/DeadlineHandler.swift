import NIOCore
import NIOHTTPTypes

/// Bounds how long a request takes to arrive and its answer to be written.
///
/// The framework's idle time-out begins anew with each byte, so a client that dribbles would hold its connection for
/// ever. This begins with the connection, or the request, and ends with its last byte. While whole requests wait for
/// their answers, each answer has so long from the one before it, or a client that sends many and reads none would hold
/// its connection too.
final class DeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The request didn't arrive whole in time.
    struct RequestTooSlow: Error {}

    private let receive: TimeAmount
    private let handle: TimeAmount
    /// Requests that arrived whole and whose answer is not written yet; less than none when an answer came first.
    private var waiting = 0
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
            waiting += 1
            if waiting == 1 { startHandling(context) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            waiting -= 1
            handling?.cancel()
            handling = nil
            if waiting > 0 { startHandling(context) }
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
        handling = context.eventLoop.assumeIsolated().scheduleTask(in: handle) {
            context.close(promise: nil)
        }
    }
}

@available(*, unavailable)
extension DeadlineHandler: Sendable {}
