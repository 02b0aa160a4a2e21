import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// HTTP/1.1 as the other handlers see it: requests in the types that both versions share, and answers whole.
///
/// An answer leaves as one piece of bytes, which costs less than to hand its head, body and end from handler to handler.
final class HTTP1Codec: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = Response
    typealias OutboundOut = ByteBuffer

    private let isSecure: Bool
    /// Requests whose answer is not written yet; less than none when an answer came first.
    private var unanswered = 0

    init(isSecure: Bool) {
        self.isSecure = isSecure
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            do {
                let request = try request(head)
                if head.wantsToContinue, unanswered == 0 {
                    context.writeAndFlush(
                        wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")),
                        promise: nil
                    )
                }
                unanswered += 1
                context.fireChannelRead(wrapInboundOut(.head(request)))
            } catch {
                context.fireErrorCaught(error)
            }
        case .body(let part): context.fireChannelRead(wrapInboundOut(.body(part)))
        case .end: context.fireChannelRead(wrapInboundOut(.end(nil)))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        unanswered -= 1
        let response = unwrapOutboundIn(data)
        let status = response.status
        var buffer = context.channel.allocator.buffer(capacity: 512 + response.body.readableBytes)
        buffer.writeStaticString("HTTP/1.1 ")
        buffer.writeString(String(status.code))
        buffer.writeStaticString(" ")
        buffer.writeString(status == .ok ? "OK" : HTTPResponseStatus(statusCode: status.code).reasonPhrase)
        buffer.writeStaticString("\r\n")
        // Neither names nor values have CR or LF: HTTPFields lets none in.
        for field in response.headers {
            buffer.writeString(field.name.rawName)
            buffer.writeStaticString(": ")
            buffer.writeString(field.value)
            buffer.writeStaticString("\r\n")
        }
        buffer.writeStaticString("\r\n")
        buffer.writeImmutableBuffer(response.body)
        context.write(wrapOutboundOut(buffer), promise: promise)
    }

    private func request(_ head: HTTPRequestHead) throws -> HTTPRequest {
        guard head.uri.utf8.first == UInt8(ascii: "/") else {
            return try fields(of: head)
        }
        // A path needs no parsing as a URL to be found in one.
        var other = head
        other.uri = ""
        var request = try fields(of: other)
        request.path = head.uri
        return request
    }

    private func fields(of head: HTTPRequestHead) throws -> HTTPRequest {
        var request = try HTTPRequest(head, secure: isSecure, splitCookie: false)
        // Its end is all that tells an old client that an answer is whole.
        if head.version == .http1_0 { request.headerFields[.connection] = "close" }
        return request
    }
}

extension HTTPRequestHead {
    /// Whether its sender holds the body back until it may go on (RFC 9110 section 10.1.1).
    fileprivate var wantsToContinue: Bool {
        version == .http1_1 && headers.first(name: "expect")?.lowercased() == "100-continue"
    }
}

@available(*, unavailable)
extension HTTP1Codec: Sendable {}
