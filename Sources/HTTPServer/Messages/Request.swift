package import HTTPTypes
package import NIOCore
import ServiceConfiguration

/// A request that is here whole, and where it came from.
package struct Request: Sendable {
    /// The request line and header fields.
    package let head: HTTPRequest
    /// The body; where it is larger than anybody reads, its beginning.
    package let body: ByteBuffer
    /// Who is at the connection's other end: a caller, or a proxy in front of one.
    package let peer: Peer
}

/// Who is at a connection's other end.
package struct Peer: Sendable {
    /// Its one way of being written; `unknown` where there is none.
    let address: String
    /// Its bytes, 4 or 16.
    let bytes: [UInt8]?
    /// The certificate that it showed; nil where TLS asked for none, or it has none.
    package let certificate: PeerCertificate?

    /// The peer of a connection whose TLS handshake, where it has one, is over.
    init(_ channel: any Channel) {
        self.init(channel.remoteAddress, certificate: PeerCertificate(channel))
    }

    init(_ address: SocketAddress?, certificate: PeerCertificate? = nil) {
        self.certificate = certificate
        let text = address?.ipAddress
        bytes = text.flatMap(AddressRange.bytes)
        self.address = bytes.map(AddressRange.text) ?? text ?? "unknown"
    }
}
