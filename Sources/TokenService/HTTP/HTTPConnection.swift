import FleetToken
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOTLS
import ServiceSupport

/// One connection: has its requests answered one after the other, and ends in time.
///
/// Each request is handled by a task that starts immediately, on the connection's own thread. A request that does not
/// wait has its response before the next byte is read; one that waits, for a signature or a webhook, resumes on the
/// same thread.
///
/// When a connection is old or the service drains, the next response announces that it is the last, so that its client
/// can reconnect elsewhere. At shutdown, an idle connection is closed immediately, any other after the current
/// response; a new one gets a second for its first request, which may be on its way.
final class HTTPConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The state of the input: before the first request, within a request, or between two.
    private enum Input { case first, rest, idle }

    /// How far the connection is from its end.
    private enum Phase {
        case open
        /// No further requests are read: those that wait are the last.
        case ending
        /// The last response has left, and the output is closed.
        case closing
    }

    /// More bytes than the head of a usual response has.
    private static let headSize = 512

    private let listener: Listener
    /// The address of the other end: a caller, or a proxy in front of one.
    private let address: String
    /// The trusted proxies, if it is one of them.
    private let proxies: TrustedProxies?
    private let executor: EventLoopExecutor
    private var context: ChannelHandlerContext?
    /// When the connection is old: from then on, the next response is the last.
    private var end = NIODeadline.distantFuture
    /// When the connection ends, unless what it waits for has happened.
    private var deadline = NIODeadline.distantFuture
    private var input = Input.first
    /// The request on its way here; nil once it is whole, or too large.
    private var request: Request?
    /// Requests that wait for their turn.
    private var pending = CircularBuffer<Request>()
    private var task: Task<Void, Never>?
    private var isAnswering = false
    /// Whether `answer` is at work further down the stack.
    private var isInAnswerLoop = false
    private var isReadHeld = false
    private var isAskedToContinue = false
    /// Writes that the system has not taken yet.
    private var unwritten = 0
    private var phase = Phase.open
    private var isInputClosed = false
    private var isShuttingDown = false
    private var date = DateField()
    /// Whether a response could be read: after the handshake, if there is one.
    private var isEstablished: Bool

    init(_ listener: Listener, from address: String, on eventLoop: any EventLoop) {
        self.listener = listener
        self.address = address
        proxies = listener.trustedProxies.contains(address) ? listener.trustedProxies : nil
        executor = EventLoopExecutor(eventLoop)
        isEstablished = listener.certificate == nil
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        end = context.eventLoop.now + TimeAmount(listener.policy.maximumAge)
        updateDeadline()
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
            isInputClosed = true
            acceptNoMore()
            // Most clients that close their side have gone, and need no signature. (Servers take it so in general: Go's
            // and nginx do.) Requests that do not wait get their response all the same.
            task?.cancel()
            closeIfDone()
        case is ChannelShouldQuiesceEvent:
            (isShuttingDown, end) = (true, context.eventLoop.now)
            if input == .first { deadline = min(deadline, end + .seconds(1)) }
            if input == .idle { acceptNoMore() }
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
        guard phase == .open else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            do {
                let now = listener.clock.monotonic
                request = try Request(head, from: address, behind: proxies, at: now)
                isAskedToContinue = head.isWaitingToContinue
                // The time of the first request counts from the connection's start.
                let isFirst = exchange(&input, with: .rest) == .first
                if !isFirst, !isBusy { updateDeadline() }
            } catch {
                refuse(error)
            }
        case .body(let part):
            isAskedToContinue = false
            request?.append(part)
            // The rest may never end.
            if request?.isTooLarge == true { enqueue() }
        case .end:
            (input, isAskedToContinue) = (.idle, false)
            if !isBusy { updateDeadline() }
            enqueue()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Before another response it would be taken for that, and with the body here it is not needed.
        if exchange(&isAskedToContinue, with: false), !isBusy, phase == .open {
            let line = ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")
            context.writeAndFlush(wrapOutboundOut(line), promise: nil)
        }
        context.fireChannelReadComplete()
    }

    /// While requests wait, and after the last, no more are read: the sender has to wait too.
    func read(context: ChannelHandlerContext) {
        if pending.isEmpty, phase == .open { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        answer()
        context.fireChannelWritabilityChanged()
    }

    /// Whether a request waits for its response.
    private var isBusy: Bool { isAnswering || !pending.isEmpty }

    /// Lets the request wait for its turn, unless it does already.
    private func enqueue() {
        guard let request else { return }
        self.request = nil
        if request.isLast { acceptNoMore() }
        pending.append(request)
        answer()
    }

    /// Ends the connection with the response to a request that has a fault, in its place among the responses.
    private func refuse(_ error: TokenError) {
        // The parser fails again on further input.
        guard phase == .open else { return }
        // One whose body is too large has its response already.
        if input != .rest || request != nil {
            var faulty = request ?? Request(unreadFrom: address, at: listener.clock.monotonic)
            faulty.fault = error
            pending.append(faulty)
        }
        acceptNoMore()
        answer()
    }
}

// MARK: - Responses

extension HTTPConnection {
    /// Responds to the requests in order, as long as the client reads the responses.
    ///
    /// A response may be ready before its task suspends. The inner call then finds the loop running and leaves the next
    /// request to it: thousands may be queued, and the stack must not grow with them.
    private func answer() {
        guard let context, !isInAnswerLoop else { return }
        isInAnswerLoop = true
        while !isAnswering, context.channel.isWritable, let request = pending.popFirst() {
            isAnswering = true
            let task = begin(request, NIOLoopBound(self, eventLoop: context.eventLoop))
            if isAnswering { self.task = task }
        }
        isInAnswerLoop = false
        if isReadHeld, pending.isEmpty, phase == .open {
            isReadHeld = false
            context.read()
        }
        closeIfDone()
    }

    /// Begins a task, which returns with the response to its connection.
    private func begin(_ request: Request, _ here: NIOLoopBound<HTTPConnection>) -> Task<Void, Never> {
        let responder = listener.responder
        if #available(macOS 26, *) {
            return Task.immediate(executorPreference: executor) {
                here.value.end(with: await responder.respond(to: request))
            }
        } else {
            return Task(executorPreference: executor) {
                here.value.end(with: await responder.respond(to: request))
            }
        }
    }

    private func end(with response: Response) {
        task = nil
        isAnswering = false
        guard let context, context.channel.isActive else { return }
        write(response, context)
        answer()
    }

    private func write(_ response: Response, _ context: ChannelHandlerContext) {
        if listener.lifecycle.isDraining || end <= context.eventLoop.now {
            acceptNoMore()
            pending.removeAll()
        }
        updateDeadline()
        var response = response
        if phase != .open, pending.isEmpty { response.headers[.connection] = "close" }
        var buffer = context.channel.allocator.buffer(capacity: response.body.count + Self.headSize)
        response.write(to: &buffer, date: date.text(at: listener.clock.now))
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
        guard let context, phase != .open, !isBusy, unwritten == 0 else { return }
        if isInputClosed || isShuttingDown {
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
        if phase == .open { phase = .ending }
    }

    /// Gives the connection the time for what it waits for now.
    private func updateDeadline() {
        guard let context else { return }
        let time: Duration
        if phase == .closing {
            time = .seconds(2)
        } else if !pending.isEmpty {
            time = listener.policy.request
        } else if phase == .ending || input == .idle && request == nil {
            time = listener.policy.idle
        } else if input == .first || request != nil {
            time = listener.policy.request
        } else {
            // The rest of a body whose request has its response already.
            return
        }
        deadline = context.eventLoop.now + TimeAmount(time)
    }

    /// Looks at the deadline each second.
    ///
    /// No timer is cancelled: an event loop would search all timers of its connections. The last retains nothing.
    private func tickInASecond(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [weak self] in self?.tick() }
    }

    private func tick() {
        guard let context else { return }
        tickInASecond(context)
        guard deadline <= context.eventLoop.now else { return }
        let isLate = phase == .open && !isBusy && input != .idle && !(input == .first && isShuttingDown)
        if isLate, isEstablished { refuse(.notInTime) } else { context.close(promise: nil) }
    }
}
