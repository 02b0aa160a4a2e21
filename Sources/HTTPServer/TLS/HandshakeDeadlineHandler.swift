import NIOCore
import NIOTLS

/// Closes a connection whose TLS handshake takes too long, or is in progress at shutdown.
///
/// The protocol is unknown before, so no other handler can do this.
final class HandshakeDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let limit: TimeAmount
    private var deadline: NIODeadline?
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
        if case .handshakeCompleted? = event as? TLSUserEvent { deadline = nil }
        if event is ChannelShouldQuiesceEvent, deadline != nil { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func tick() -> Bool {
        guard let deadline, let context, context.channel.isActive else { return false }
        if deadline <= .now() { context.close(promise: nil) }
        return true
    }
}

@available(*, unavailable)
extension HandshakeDeadlineHandler: Sendable {}
