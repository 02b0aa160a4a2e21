import NIOCore

/// Closes a connection after its last response has left, so that no response is cut off.
///
/// Handlers behind it close the output only. When everything has been written, the client learns that no more follows,
/// and what it still sends is discarded until it closes its side too, for two seconds and 1 MiB at most: closing a socket
/// that has unread bytes resets the connection, and the client's system may then discard what the client has not read yet
/// (RFC 9112 section 9.6).
final class ClosingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The maximum time for the client to read what has been written.
    private let reading: TimeAmount
    /// The time for which bytes of the client are discarded.
    private let discarding: TimeAmount
    /// The maximum number of the client's bytes that are discarded.
    private static let maximumDiscarded = 1024 * 1024
    private var discarded = 0
    /// When the connection is closed in any case, once it is closing.
    private var deadline: NIODeadline?
    /// Writes that the system has not taken yet.
    ///
    /// An empty write behind them would not tell: TLS has nothing to send for it.
    private var unwritten = 0
    private var isInputClosed = false
    private var isOutputClosed = false
    private var isShuttingDown = false

    init(_ policy: ConnectionPolicy, discarding: TimeAmount = .seconds(2)) {
        reading = TimeAmount(policy.idle)
        self.discarding = discarding
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard deadline != nil else {
            context.fireChannelRead(data)
            return
        }
        discarded += unwrapInboundIn(data).readableBytes
        if discarded > Self.maximumDiscarded { context.close(promise: nil) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        unwritten += 1
        // Not weak, which makes all counting of references to this handler slow: each write ends.
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            unwritten -= 1
            if unwritten == 0, deadline != nil { outputHasLeft(context) }
        }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else {
            context.close(mode: mode, promise: promise)
            return
        }
        promise?.succeed()
        guard deadline == nil else { return }
        deadline = .now() + reading
        context.eventLoop.everySecond { [weak self] in self?.tick(context) ?? false }
        if unwritten == 0 { outputHasLeft(context) } else { context.flush() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { isInputClosed = true }
        if event is ChannelShouldQuiesceEvent { isShuttingDown = true }
        if isOutputClosed { outputHasLeft(context) }
        context.fireUserInboundEventTriggered(event)
    }

    private func outputHasLeft(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        if isInputClosed || isShuttingDown {
            context.close(promise: nil)
        } else if !isOutputClosed {
            isOutputClosed = true
            deadline = .now() + discarding
            context.close(mode: .output, promise: nil)
        }
    }

    private func tick(_ context: ChannelHandlerContext) -> Bool {
        guard context.channel.isActive, let deadline else { return false }
        if deadline <= .now() { context.close(promise: nil) }
        return true
    }
}
