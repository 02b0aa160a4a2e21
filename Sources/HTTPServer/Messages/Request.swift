package import HTTPTypes
package import NIOCore
import ServiceSupport

/// A request that is here whole, and where it came from.
package struct Request: Sendable {
    /// The request line and header fields.
    package var head: HTTPRequest
    /// The body; if it is larger than the maximum, its beginning.
    package let body: ByteBuffer
    /// The other end of the connection: a caller, or a proxy in front of one.
    package let peer: Peer
}

/// The other end of a connection.
package final class Peer: Sendable {
    /// The address in its canonical form; `unknown` if there is none.
    let address: String
    /// The address's bytes, 4 or 16.
    let bytes: [UInt8]?
    /// The peer's certificate; nil if TLS requested none or the peer has none.
    package let certificate: PeerCertificate?

    /// Creates the peer of a connection after its TLS handshake, if it has one.
    convenience init(_ channel: any Channel) {
        self.init(channel.remoteAddress, certificate: PeerCertificate(channel))
    }

    init(_ address: SocketAddress?, certificate: PeerCertificate? = nil) {
        self.certificate = certificate
        let text = address?.ipAddress
        bytes = text.flatMap(AddressRange.bytes)
        self.address = bytes.map(AddressRange.text) ?? text ?? "unknown"
    }
}
