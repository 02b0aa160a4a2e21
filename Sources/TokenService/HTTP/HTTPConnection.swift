import FleetToken
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOTLS
import ServiceSupport

/// Handles one connection: responds to its requests in order, and ends it in time.
///
/// Each request is handled by a task that starts immediately, on the connection's own thread, and that resumes there after
/// a wait for a signature or a webhook. Without a wait, the response is written before the next byte is read.
///
/// When a connection is old or the service drains, the next response announces that it is the last, so that its client
/// can reconnect elsewhere. At shutdown, an idle connection is closed immediately, any other after the current
/// response; a new one gets a second for its first request, which may be on its way.
final class HTTPConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The response in progress.
    private enum Output {
        case idle
        /// Its task begins, and may end before it suspends.
        case beginning
        case waiting(Task<Void, Never>)
    }

    /// How far the connection is from its end.
    private enum Phase {
        /// Before the first request.
        case new
        /// Within a request.
        case receiving
        /// Between two requests.
        case idle
        /// No further requests are read: those that wait are the last.
        case ending
        /// The last response has left, and the output is closed.
        case closing
    }

    private let listener: Listener
    /// The address of the other end: a caller, or a proxy in front of one.
    private let address: String
    /// The trusted proxies, if it is one of them.
    private let proxies: TrustedProxies?
    private let executor: EventLoopExecutor
    private var context: ChannelHandlerContext?
    private var deadline: ConnectionDeadline
    private var phase = Phase.new
    /// The request that is being received; nil when it is complete or too large.
    private var request: Request?
    /// Requests that wait for their turn.
    private var pending = CircularBuffer<Request>()
    private var output = Output.idle
    private var isReadHeld = false
    /// Writes that the system has not taken yet.
    private var unwritten = 0
    /// Whether the last response closes the whole connection: the client has closed its side, or the service is shutting down.
    private var closesWhole = false
    /// Whether a response could be read: after the handshake, if there is one.
    private var isEstablished: Bool

    /// Whether further requests are read.
    private var isOpen: Bool { phase != .ending && phase != .closing }
    /// Whether a request waits for its response.
    private var isBusy: Bool {
        if case .idle = output { !pending.isEmpty } else { true }
    }
    /// The task that waits, if any.
    private var task: Task<Void, Never>? {
        if case .waiting(let task) = output { task } else { nil }
    }

    init(_ listener: Listener, from address: String, on eventLoop: any EventLoop) {
        self.listener = listener
        self.address = address
        proxies = listener.trustedProxies.contains(address) ? listener.trustedProxies : nil
        executor = EventLoopExecutor(eventLoop)
        deadline = ConnectionDeadline(listener.policy, at: eventLoop.now)
        isEstablished = listener.certificate == nil
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        tickInASecond(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        task?.cancel()
        (phase, request) = (.closing, nil)
        pending.removeAll()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            closesWhole = true
            acceptNoMore()
            // Most clients that close their side have gone, and need no signature. (Servers take it so in general: Go's
            // and nginx do.) Requests that do not wait get their response all the same.
            task?.cancel()
            closeIfDone()
        case is ChannelShouldQuiesceEvent:
            closesWhole = true
            deadline.shutDown(isNew: phase == .new, at: context.eventLoop.now)
            if phase == .idle { acceptNoMore() }
            closeIfDone()
        case TLSUserEvent.handshakeCompleted: isEstablished = true
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.headerOverflow: refuse(.headTooLarge)
        case is HTTPParserError: refuse(.malformedHTTP)
        default: context.close(promise: nil)
        }
    }
}

// MARK: - Requests

extension HTTPConnection {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isOpen else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            do {
                request = try Request(head, from: address, behind: proxies, at: listener.clock.monotonic)
                // The time of the first request counts from the connection's start.
                let isFirst = exchange(&phase, with: .receiving) == .new
                guard !isBusy else { return }
                if !isFirst { updateDeadline() }
                // Not before another response, for which it would be taken.
                if head.isWaitingToContinue {
                    let line = ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")
                    context.writeAndFlush(wrapOutboundOut(line), promise: nil)
                }
            } catch {
                refuse(error)
            }
        case .body(let part):
            request?.append(part)
            // The rest may never end.
            if request?.isTooLarge == true { enqueue() }
        case .end:
            phase = .idle
            if !isBusy { updateDeadline() }
            enqueue()
        }
    }

    /// While requests wait, and after the last, no more are read: the sender has to wait too.
    func read(context: ChannelHandlerContext) {
        if pending.isEmpty, isOpen { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        respond()
        context.fireChannelWritabilityChanged()
    }

    /// Lets the request wait for its turn, unless it does already.
    private func enqueue() {
        guard let request = exchange(&request, with: nil) else { return }
        if request.isLast { acceptNoMore() }
        pending.append(request)
        respond()
    }

    /// Ends the connection with an error response, after the responses to earlier requests.
    private func refuse(_ error: TokenError) {
        // The parser fails again on further input.
        guard isOpen else { return }
        // One whose body is too large has its response already.
        if phase != .receiving || request != nil {
            var refused = request ?? Request(unreadFrom: address, at: listener.clock.monotonic)
            refused.error = error
            pending.append(refused)
        }
        acceptNoMore()
        respond()
    }
}

// MARK: - Responses

extension HTTPConnection {
    /// Responds to the requests in order, as long as the client reads the responses.
    private func respond() {
        guard let context else { return }
        if case .beginning = output { return }
        while case .idle = output, context.channel.isWritable, let request = pending.popFirst() {
            output = .beginning
            let (responder, here) = (listener.responder, NIOLoopBound(self, eventLoop: context.eventLoop))
            let task = executor.begin { here.value.end(with: await responder.respond(to: request)) }
            if case .beginning = output { output = .waiting(task) }
        }
        if isReadHeld, pending.isEmpty, isOpen {
            isReadHeld = false
            context.read()
        }
        closeIfDone()
    }

    private func end(with response: Response) {
        let hasWaited = task != nil
        if let context, context.channel.isActive { write(response, context) }
        output = .idle
        // Otherwise the loop in `respond` continues: the stack must not grow with the number of requests.
        if hasWaited { respond() }
    }

    private func write(_ response: Response, _ context: ChannelHandlerContext) {
        if listener.lifecycle.isDraining || deadline.isOld(at: context.eventLoop.now) {
            acceptNoMore()
            pending.removeAll()
        }
        updateDeadline()
        var response = response
        if !isOpen, pending.isEmpty { response.headers[.connection] = "close" }
        var buffer = context.channel.allocator.buffer(capacity: 0)
        response.write(to: &buffer, at: listener.clock.now)
        unwritten += 1
        let promise = context.eventLoop.makePromise(of: Void.self)
        // Not weak, which makes all counting of references to this handler slow: each write ends.
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            unwritten -= 1
            closeIfDone()
        }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: promise)
    }
}

// MARK: - The end

extension HTTPConnection {
    /// Closes the connection after its last response has left, so that no response is cut off.
    ///
    /// The output first, and the rest two seconds later or when the client has closed its side: closing a socket that has
    /// unread bytes resets the connection, and the client's system may then discard what the client has not read yet
    /// (RFC 9112 section 9.6).
    private func closeIfDone() {
        guard let context, !isOpen, !isBusy, unwritten == 0 else { return }
        if closesWhole {
            context.close(promise: nil)
        } else if phase == .ending {
            phase = .closing
            updateDeadline()
            context.close(mode: .output, promise: nil)
        }
    }

    /// Reads no further requests.
    private func acceptNoMore() {
        request = nil
        if isOpen { phase = .ending }
    }

    /// Gives the connection the time for what it waits for now.
    private func updateDeadline() {
        guard let context else { return }
        let wait: ConnectionDeadline.Wait
        switch phase {
        case .closing: wait = .close
        case _ where !pending.isEmpty: wait = .exchange
        case .ending: wait = .idle
        case .idle where request == nil: wait = .idle
        // The rest of a body whose request has its response already.
        case .receiving where request == nil: return
        case .new, .receiving, .idle: wait = .exchange
        }
        deadline.wait(for: wait, from: context.eventLoop.now)
    }

    /// Checks the deadline each second.
    ///
    /// No timer is cancelled: an event loop would search all timers of its connections. The last retains nothing.
    private func tickInASecond(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [weak self] in self?.tick() }
    }

    private func tick() {
        guard let context else { return }
        tickInASecond(context)
        guard deadline.isOver(at: context.eventLoop.now) else { return }
        let isLate = !isBusy && (phase == .receiving || phase == .new && !closesWhole)
        if isLate, isEstablished { refuse(.notInTime) } else { context.close(promise: nil) }
    }
}
