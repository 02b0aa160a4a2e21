import HTTPTypes
import NIOCore

/// A request that is here whole, and where it came from.
struct Request: Sendable {
    /// The request line and header fields.
    let head: HTTPRequest
    /// The body; where it is larger than anybody reads, its beginning.
    let body: ByteBuffer
    /// Who is at the connection's other end: a caller, or a proxy in front of one.
    let peer: Peer
    /// The connection, or the stream on one.
    let channel: any Channel
}

/// The address at a connection's other end.
struct Peer: Sendable {
    /// Its one way of being written; `unknown` where there is none.
    let address: String
    /// Its bytes, 4 or 16.
    let bytes: [UInt8]?

    init(_ address: SocketAddress?) {
        let text = address?.ipAddress
        bytes = text.flatMap(AddressRange.bytes)
        self.address = bytes.map(AddressRange.text) ?? text ?? "unknown"
    }
}
