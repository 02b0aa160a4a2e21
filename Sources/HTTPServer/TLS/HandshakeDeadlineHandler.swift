import NIOCore
import NIOTLS

/// Closes a connection whose TLS handshake takes too long; at shutdown, longer than another second.
///
/// The protocol is unknown before, so no other handler can do this.
final class HandshakeDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let limit: TimeAmount
    private var deadline: NIODeadline?
    private var isShuttingDown = false
    private var context: ChannelHandlerContext?

    init(_ policy: ConnectionPolicy) {
        limit = TimeAmount(policy.receive)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        deadline = .now() + limit
        context.eventLoop.everySecond { [weak self] in self?.tick() ?? false }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            deadline = nil
            if isShuttingDown {
                // The handlers of the protocol are added now, and have not been told.
                context.eventLoop.assumeIsolated().execute {
                    context.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
                }
            }
        }
        if event is ChannelShouldQuiesceEvent, let deadline {
            isShuttingDown = true
            self.deadline = min(deadline, .now() + .seconds(1))
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func tick() -> Bool {
        guard let deadline, let context, context.channel.isActive else { return false }
        if deadline <= .now() { context.close(promise: nil) }
        return true
    }
}
