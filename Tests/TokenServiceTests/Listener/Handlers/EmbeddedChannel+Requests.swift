import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes

/// A connection in memory, and the parts of requests that arrive on it.
extension EmbeddedChannel {
    /// Connects, which makes the channel active.
    func connect() throws { try connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait() }

    /// Receives the head of a request.
    func begin(_ path: String, _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]) throws {
        let head = HTTPRequest(method: method, scheme: "http", authority: "a", path: path, headerFields: fields)
        try writeInbound(HTTPRequestPart.head(head))
    }

    /// Receives a part of a request's body.
    func receive(_ size: Int) throws { try writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: size))) }

    /// Receives the end of a request.
    func end() throws { try writeInbound(HTTPRequestPart.end(nil)) }
}

/// Closes at once, since nothing is ever on its way here; a channel in memory cannot close its output only.
final class ImmediateClosing: ChannelOutboundHandler {
    typealias OutboundIn = Never

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.close(mode: .all, promise: promise)
    }
}
