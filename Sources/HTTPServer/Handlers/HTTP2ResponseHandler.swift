import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Splits a response into the parts of an HTTP/2 stream.
final class HTTP2ResponseHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = Response
    typealias OutboundOut = HTTPResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let response = unwrapOutboundIn(data)
        let head = HTTPResponse(status: response.status, headerFields: response.allFields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !response.body.isEmpty, !response.omitsBody {
            context.write(wrapOutboundOut(.body(ByteBuffer(bytes: response.body))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }
}

@available(*, unavailable)
extension HTTP2ResponseHandler: Sendable {}
