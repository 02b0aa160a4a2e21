import NIOCore
import NIOTLS

/// Closes a connection whose TLS handshake takes too long, at shutdown longer than another second; adds the handlers of HTTP
/// after it.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let limit: TimeAmount
    /// Adds the handlers of HTTP.
    private let configure: (any Channel) throws -> Void
    private var deadline: NIODeadline?
    private var isShuttingDown = false
    private var context: ChannelHandlerContext?

    init(_ policy: ConnectionPolicy, configure: @escaping (any Channel) throws -> Void) {
        limit = TimeAmount(policy.receive)
        self.configure = configure
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
            do {
                try configure(context.channel)
            } catch {
                return context.close(promise: nil)
            }
            // The new handlers have not been told.
            if isShuttingDown { context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
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
