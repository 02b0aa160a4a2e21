package import HTTPTypes
package import NIOCore

/// A request that is here whole, and where it came from.
package struct Request: Sendable {
    /// The request line and header fields.
    package var head: HTTPRequest
    /// The body; if it is larger than the maximum, its beginning.
    package let body: ByteBuffer
    /// The other end of the connection: a caller, or a proxy in front of one.
    package let peer: Peer
}
