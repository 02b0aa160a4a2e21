import HTTPTypes
import NIOCore
import NIOHTTPTypes
import ServiceConfiguration

/// Ends an HTTP/1.1 connection when it is old, or the service is about to end.
///
/// Once a connection is old or the service drains, the next answer says that it is the connection's last, so that its
/// client goes elsewhere before it must. When the service ends, a connection without a request under way is closed at once, any other after
/// the answer that is under way.
final class DrainHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = Response
    typealias OutboundOut = Response

    private let lifecycle: Lifecycle
    /// When the connection is old.
    private let end: NIODeadline
    /// Requests whose answer is not written yet.
    private var unanswered = 0
    /// Whether the connection ends with the answer under way.
    private var isLast = false

    init(_ lifecycle: Lifecycle, _ limits: LimitsConfiguration) {
        self.lifecycle = lifecycle
        end = .now() + .seconds(Int64(limits.connection))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { unanswered += 1 }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        unanswered -= 1
        if lifecycle.isDraining || end <= .now() { isLast = true }
        guard isLast else {
            context.write(data, promise: promise)
            return
        }
        var response = unwrapOutboundIn(data)
        response.headers[.connection] = "close"
        context.writeAndFlush(wrapOutboundOut(response), promise: promise)
        context.close(promise: nil)
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
