import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends an HTTP/1.1 connection when the service is about to end.
///
/// While the service drains, the next answer says that it is the connection's last, so that its client goes elsewhere
/// before it must. When the service ends, a connection without a request under way is closed at once, any other after
/// the answer that is under way.
final class DrainHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let lifecycle: Lifecycle
    /// Requests whose answer is not written yet.
    private var unanswered = 0
    /// Whether the connection ends with the answer under way.
    private var isLast = false

    init(_ lifecycle: Lifecycle) {
        self.lifecycle = lifecycle
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { unanswered += 1 }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if lifecycle.isDraining { isLast = true }
            guard isLast else { break }
            head.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            return
        case .body: break
        case .end:
            unanswered -= 1
            guard isLast else { break }
            context.writeAndFlush(data, promise: promise)
            context.close(promise: nil)
            return
        }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        isLast = true
        if unanswered <= 0 { context.close(promise: nil) }
    }
}

@available(*, unavailable)
extension DrainHandler: Sendable {}
