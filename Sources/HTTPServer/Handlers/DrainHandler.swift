import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes an HTTP/1.1 connection when it is old, or when the service shuts down.
///
/// When a connection is old or the service drains, the next response announces that it is the last, so that its client
/// can reconnect elsewhere. At shutdown, an idle connection is closed immediately, any other after the current
/// response; a new one gets a second for its first request, which may be on its way.
final class DrainHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = Response
    typealias OutboundOut = Response

    private let lifecycle: Lifecycle
    /// Until when the first request of a new connection may arrive at shutdown.
    private var start: NIODeadline? = .now() + .seconds(1)
    /// When the connection is old.
    private let end: NIODeadline
    /// The number of requests without a written response.
    private var unanswered = 0
    /// Whether the connection closes after the current response.
    private var isLast = false

    init(_ lifecycle: Lifecycle, _ policy: ConnectionPolicy) {
        self.lifecycle = lifecycle
        end = .now() + TimeAmount(policy.maximumAge)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) {
            unanswered += 1
            start = nil
        }
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
        context.close(mode: .output, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        isLast = true
        guard unanswered <= 0 else { return }
        guard let start, start > .now() else { return context.close(mode: .output, promise: nil) }
        context.eventLoop.assumeIsolated().scheduleTask(deadline: start) { [self] in
            if unanswered <= 0 { context.close(mode: .output, promise: nil) }
        }
    }
}
