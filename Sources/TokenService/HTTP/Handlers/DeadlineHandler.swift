import NIOCore
import NIOHTTPTypes

/// Limits how long a connection is idle, how long a request takes to arrive, and how long its response takes.
///
/// The time for a request starts with the connection or the request's first byte and ends with its last, so that a slow
/// sender gains nothing. While complete requests wait, each response has the same time from the previous one, so that a
/// client that sends many requests and reads no responses gains nothing either. What follows them may not be read then,
/// so its time starts with the last of those responses.
final class DeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = Response
    typealias OutboundOut = Response

    /// The request didn't arrive whole in time.
    struct RequestTooSlow: Error {}

    private let receive: TimeAmount
    private let handle: TimeAmount
    private let idle: TimeAmount
    /// The deadline for receiving the current request.
    private var receiving: NIODeadline?
    /// Whether the first byte of that request has been received.
    private var hasBegun = false
    /// The deadline for writing the next response, while complete requests wait for theirs.
    private var handling: NIODeadline?
    /// The deadline for the next request to begin.
    private var idling: NIODeadline?
    /// The number of complete requests without a written response; negative if a response came first.
    private var waiting = 0
    private var context: ChannelHandlerContext?

    init(_ policy: ConnectionPolicy) {
        receive = TimeAmount(policy.receive)
        handle = TimeAmount(policy.handle)
        idle = TimeAmount(policy.idle)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // After a TLS handshake the connection is active already.
        if context.channel.isActive { start(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = context.eventLoop.now
        switch unwrapInboundIn(data) {
        // Nothing announces a head that was received together with the end of another request.
        case .head: begin(at: now)
        case .body: break
        case .end:
            receiving = nil
            hasBegun = false
            waiting += 1
            if waiting == 1 { handling = now + handle }
            startIdling(at: now)
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ReceiptHandler.BytesReceived else { return context.fireUserInboundEventTriggered(event) }
        begin(at: context.eventLoop.now)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let now = context.eventLoop.now
        waiting -= 1
        handling = waiting > 0 ? now + handle : nil
        if receiving != nil, waiting == 0 { receiving = now + receive }
        startIdling(at: now)
        context.write(data, promise: promise)
    }

    private func start(_ context: ChannelHandlerContext) {
        receiving = context.eventLoop.now + receive
        context.eventLoop.everySecond { [weak self] in self?.tick() ?? false }
    }

    private func begin(at now: NIODeadline) {
        guard !hasBegun else { return }
        hasBegun = true
        receiving = now + receive
        idling = nil
    }

    private func startIdling(at now: NIODeadline) {
        if receiving == nil, waiting == 0 { idling = now + idle }
    }

    private func tick() -> Bool {
        guard let context, context.channel.isActive else { return false }
        let now = context.eventLoop.now
        if let deadline = handling ?? idling, deadline <= now {
            context.close(promise: nil)
        } else if handling == nil, let receiving, receiving <= now {
            self.receiving = nil
            context.fireErrorCaught(RequestTooSlow())
        }
        return true
    }
}
