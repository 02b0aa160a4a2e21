import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Responds to invalid or oversized HTTP as to any error, and closes.
///
/// The framework alone would send an empty response or none. Responses to earlier requests on the connection are
/// written first, so that each response belongs to its request.
final class ProtocolErrorHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = Response
    typealias OutboundOut = Response

    /// The number of requests without a written response.
    private var unanswered = 0
    /// Whether the last request's body is still coming.
    private var isReceiving = false
    private var pending: ProtocolError?
    private var isClosing = false

    private let response: @Sendable (ProtocolError) -> Response

    init(response: @escaping @Sendable (ProtocolError) -> Response) {
        self.response = response
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What follows a faulty request is no request.
        guard !isClosing, pending == nil else { return }
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            isReceiving = true
        case .body: break
        case .end: isReceiving = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        unanswered -= 1
        context.write(data, promise: promise)
        if let pending, unanswered == (isReceiving ? 1 : 0) { answer(pending, context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = Self.protocolError(error) else {
            context.fireErrorCaught(error)
            return
        }
        let earlier = unanswered - (isReceiving ? 1 : 0)
        if isClosing || earlier < 0 {
            // The faulty request has its response.
            context.close(mode: .output, promise: nil)
        } else if earlier > 0 {
            pending = error
        } else {
            answer(error, context)
        }
    }

    private static func protocolError(_ error: any Error) -> ProtocolError? {
        switch error {
        case HTTPParserError.headerOverflow: .headTooLarge
        case is DeadlineHandler.RequestTooSlow: .timeout
        case let error as ProtocolError: error
        case is HTTPParserError, is HTTP1TypeConversionError: .malformed
        default: nil
        }
    }

    private func answer(_ error: ProtocolError, _ context: ChannelHandlerContext) {
        isClosing = true
        var response = response(error)
        response.headers[.connection] = "close"
        context.writeAndFlush(wrapOutboundOut(response), promise: nil)
        context.close(mode: .output, promise: nil)
    }
}
