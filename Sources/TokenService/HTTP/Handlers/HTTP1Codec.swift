import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// HTTP/1.1 as the other handlers see it: requests in the types of swift-http-types, and whole responses.
///
/// A response is written as one buffer, which costs less than passing head, body and end through the handlers.
///
/// When a connection is old or the service drains, the next response announces that it is the last, so that its client
/// can reconnect elsewhere. At shutdown, an idle connection is closed immediately, any other after the current
/// response; a new one gets a second for its first request, which may be on its way.
final class HTTP1Codec: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = Response
    typealias OutboundOut = ByteBuffer

    /// More bytes than the head of a usual response has.
    private static let headSize = 512

    private let isSecure: Bool
    /// The fields of every response.
    private let fields: HTTPFields
    private let lifecycle: Lifecycle
    /// Until when the first request of a new connection may arrive at shutdown.
    private var start: NIODeadline? = .now() + .seconds(1)
    /// When the connection is old.
    private let end: NIODeadline
    /// The number of requests without a written response; negative if a response came first.
    private var unanswered = 0
    /// Whether the current request is the connection's last.
    private var isLast = false
    /// Whether further input is ignored: after the last request, or if the start of the next request is unknown.
    private var isOver = false
    /// Whether the connection closes after the current response.
    private var isEnding = false

    init(isSecure: Bool, fields: HTTPFields, _ lifecycle: Lifecycle, _ policy: ConnectionPolicy) {
        self.isSecure = isSecure
        self.fields = fields
        self.lifecycle = lifecycle
        end = .now() + TimeAmount(policy.maximumAge)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            do {
                let request = try HTTPRequest(checking: head, isSecure: isSecure)
                if head.wantsToContinue, unanswered == 0 {
                    context.writeAndFlush(
                        wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")),
                        promise: nil
                    )
                }
                unanswered += 1
                start = nil
                isLast = request.isLast
                context.fireChannelRead(wrapInboundOut(.head(request)))
            } catch {
                isOver = true
                context.fireErrorCaught(error)
            }
        case .body(let part): context.fireChannelRead(wrapInboundOut(.body(part)))
        case .end:
            isOver = isLast
            context.fireChannelRead(wrapInboundOut(.end(nil)))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError || error is ByteToMessageDecoderError {
            // The parser fails again on further input.
            guard !isOver else { return }
            isOver = true
        }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        unanswered -= 1
        if lifecycle.isDraining || end <= .now() { isEnding = true }
        var response = unwrapOutboundIn(data)
        if isEnding { response.headers[.connection] = "close" }
        var buffer = context.channel.allocator.buffer(capacity: response.body.count + Self.headSize)
        response.write(to: &buffer, fields)
        context.write(wrapOutboundOut(buffer), promise: promise)
        guard isEnding else { return }
        context.flush()
        context.close(mode: .output, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        isEnding = true
        guard unanswered <= 0 else { return }
        guard let start, start > .now() else { return context.close(mode: .output, promise: nil) }
        context.eventLoop.assumeIsolated().scheduleTask(deadline: start) { [self] in
            if unanswered <= 0 { context.close(mode: .output, promise: nil) }
        }
    }
}

extension HTTPRequestHead {
    /// Whether the sender waits for 100 Continue before it sends the body (RFC 9110 section 10.1.1).
    fileprivate var wantsToContinue: Bool {
        version == .http1_1 && headers.first(name: "expect")?.lowercased() == "100-continue"
    }
}
