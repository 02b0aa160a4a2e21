import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import ServiceSupport
import StrictCoding

extension Response {
    /// Calls a closure with each header field in its order: the fields of every response are in this list only.
    fileprivate func forEachField(_ body: (_ name: HTTPField.Name, _ value: String) -> Void) {
        for field in headers { body(field.name, field.value) }
        if let contentType { body(.contentType, contentType) }
        guard let requestID else { return }
        // A response is for one caller and one time.
        body(.cacheControl, "no-store")
        body(.pragma, "no-cache")
        body(.xContentTypeOptions, "nosniff")
        body(.date, DateField.now())
        body(.requestID, requestID)
        // A status without content has no length (RFC 9110 section 8.6).
        if status != .noContent { body(.contentLength, String(self.body.count)) }
    }

    /// Appends the response as HTTP/1.1.
    func write(to bytes: inout [UInt8]) {
        if status == .ok {
            bytes.append(literal: "HTTP/1.1 200 OK\r\n")
        } else {
            let phrase = HTTPResponseStatus(statusCode: status.code).reasonPhrase
            bytes += "HTTP/1.1 \(status.code) \(phrase)\r\n".utf8
        }
        // Neither names nor values have CR or LF: HTTPFields lets none in.
        forEachField { name, value in
            bytes += name.rawName.utf8
            bytes.append(literal: ": ")
            bytes += value.utf8
            bytes.append(literal: "\r\n")
        }
        bytes.append(literal: "\r\n")
        if !omitsBody { bytes += body }
    }
}

/// Splits a response into the parts of an HTTP/2 stream.
final class HTTP2ResponseHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = Response
    typealias OutboundOut = HTTPResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let response = unwrapOutboundIn(data)
        var fields = HTTPFields()
        response.forEachField { name, value in fields.append(HTTPField(name: name, value: value)) }
        let head = HTTPResponse(status: response.status, headerFields: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !response.body.isEmpty, !response.omitsBody {
            context.write(wrapOutboundOut(.body(ByteBuffer(bytes: response.body))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }
}

@available(*, unavailable)
extension HTTP2ResponseHandler: Sendable {}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let pragma = Self("Pragma")!
}
