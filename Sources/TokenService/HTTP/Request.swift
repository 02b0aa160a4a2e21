package import HTTPTypes
package import NIOCore

/// A request, and where it came from.
package struct Request: Sendable {
    /// The request line and header fields.
    package var head: HTTPRequest
    /// The body; if it is larger than the maximum, its beginning.
    package var body = ByteBuffer()
    /// The other end of the connection: a caller, or a proxy in front of one.
    package let peer: Peer
    /// Whether its connection ends with the response.
    package var isLast = false
}

extension Request {
    /// Whether the body is larger than the maximum.
    var isTooLarge: Bool { body.readableBytes > ConnectionPolicy.maximumBodySize }

    /// Keeps a part of the body, up to one byte more than the maximum.
    mutating func append(_ part: ByteBuffer) {
        var part = part
        let room = ConnectionPolicy.maximumBodySize + 1 - body.readableBytes
        guard var kept = part.readSlice(length: min(room, part.readableBytes)) else { return }
        body.writeBuffer(&kept)
    }
}

/// Responds to the requests of a listener.
package protocol Responder: Sendable {
    func respond(to request: Request) async -> Response
}
