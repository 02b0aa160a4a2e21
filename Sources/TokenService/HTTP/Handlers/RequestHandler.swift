import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Responds to a connection's requests, one after the other.
///
/// Each request is handled by a task that starts immediately, on the connection's own thread. A request that does not
/// wait has its response before the next byte is read; one that waits, for a signature or a webhook, resumes on the
/// same thread.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = Response

    private let responder: any Responder
    private let executor: EventLoopExecutor
    private let peer: Peer
    /// The maximum size of a body that is kept: one byte more than the maximum accepted.
    private static let keptBodySize = ConnectionPolicy.maximumBodySize + 1
    /// The request on its way here.
    private var head: HTTPRequest?
    private var body = ByteBuffer()
    /// Complete requests that wait for their turn.
    private var requests = CircularBuffer<Request>()
    private var task: Task<Void, Never>?
    private var isAnswering = false
    /// Whether `answer` is at work further down the stack.
    private var isBeginning = false
    private var isReadHeld = false
    /// Whether the client has closed its side, or no more of its requests get a response.
    private var isInputClosed = false

    init(_ responder: any Responder, _ peer: Peer, on executor: EventLoopExecutor) {
        self.responder = responder
        self.peer = peer
        self.executor = executor
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = ByteBuffer()
        case .body(let part):
            take(part)
            // The readable part is complete, and the rest may never end.
            if body.readableBytes == Self.keptBodySize { enqueue(context) }
        case .end: enqueue(context)
        }
    }

    /// Lets the request wait for its turn, unless it does already.
    private func enqueue(_ context: ChannelHandlerContext) {
        guard let head else { return }
        self.head = nil
        requests.append(Request(head: head, body: body, peer: peer))
        answer(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        answer(context)
        context.fireChannelWritabilityChanged()
    }

    /// While requests wait, no more are read: the sender has to wait too.
    func read(context: ChannelHandlerContext) {
        if requests.isEmpty { context.read() } else { isReadHeld = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            isInputClosed = true
            // Most clients that close their side have gone, and need no signature. (Servers take it so in general: Go's
            // and nginx do.) Requests that do not wait get their response all the same.
            task?.cancel()
            closeIfDone(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        task?.cancel()
        requests.removeAll()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // All possible responses were sent; the connection failed.
        context.close(promise: nil)
    }

    private func take(_ part: ByteBuffer) {
        var part = part
        let room = Self.keptBodySize - body.readableBytes
        guard room > 0, var slice = part.readSlice(length: min(room, part.readableBytes)) else { return }
        body.writeBuffer(&slice)
    }

    /// Responds to the queued requests in order, as long as the client reads the responses.
    ///
    /// A response may be ready before its task suspends. The inner call then finds the loop running and leaves the next
    /// request to it: thousands may be queued, and the stack must not grow with them.
    private func answer(_ context: ChannelHandlerContext) {
        guard !isBeginning else { return }
        isBeginning = true
        defer { isBeginning = false }
        while !isAnswering, context.channel.isWritable, let request = requests.popFirst() {
            isAnswering = true
            let task = begin(request, NIOLoopBound((self, context), eventLoop: context.eventLoop))
            if isAnswering { self.task = task }
        }
        if isReadHeld, requests.isEmpty {
            isReadHeld = false
            context.read()
        }
    }

    /// Begins a task, which returns with the response to the request's handler and context.
    private func begin(
        _ request: Request,
        _ here: NIOLoopBound<(RequestHandler, ChannelHandlerContext)>
    ) -> Task<Void, Never> {
        let (responder, isLast) = (responder, request.head.isLast)
        if #available(macOS 26, *) {
            return Task.immediate(executorPreference: executor) {
                let response = await responder.respond(to: request)
                here.value.0.write(response, isLast: isLast, here.value.1)
            }
        } else {
            return Task(executorPreference: executor) {
                let response = await responder.respond(to: request)
                here.value.0.write(response, isLast: isLast, here.value.1)
            }
        }
    }

    private func write(_ response: Response, isLast: Bool, _ context: ChannelHandlerContext) {
        task = nil
        isAnswering = false
        guard context.channel.isActive else { return }
        var response = response
        let isLast = isLast || response.headers[.connection] == "close"
        if isLast { response.headers[.connection] = "close" }
        context.writeAndFlush(wrapOutboundOut(response), promise: nil)
        if isLast {
            requests.removeAll()
            isInputClosed = true
        }
        closeIfDone(context)
        answer(context)
    }

    private func closeIfDone(_ context: ChannelHandlerContext) {
        guard isInputClosed, !isAnswering, requests.isEmpty else { return }
        context.close(mode: .output, promise: nil)
    }
}
