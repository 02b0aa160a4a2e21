package import HTTPTypes
package import NIOCore
import NIOSSL
package import ServiceSupport

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A request that is here whole, and where it came from.
package struct Request: Sendable {
    /// The request line and header fields.
    package var head: HTTPRequest
    /// The body; if it is larger than the maximum, its beginning.
    package let body: ByteBuffer
    /// The other end of the connection: a caller, or a proxy in front of one.
    package let peer: Peer
    /// The place of the connection or stream; nil in tests.
    package var place: ConnectionPlace?
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

/// The certificate that a client showed, read once for its connection.
package struct PeerCertificate: Sendable {
    /// The URI and DNS names of its subject alternative name extension; the subject's common name is none.
    private let names: [CertificateName]
    private let notBefore: Date
    private let notAfter: Date

    /// Creates the certificate of a connection after its TLS handshake; nil if the client sent none.
    ///
    /// TLS has checked its chain; a certificate that was not valid then never gets here. The library that checked it
    /// also reads it, so that both see the same names.
    init?(_ channel: any Channel) {
        guard let certificate = try? channel.pipeline.syncOperations.nioSSL_peerCertificate() else { return nil }
        names = certificate._subjectAlternativeNames().compactMap { name in
            switch name.nameType {
            case .dnsName: .dns(Array(name.contents))
            case .uri: .uri(Array(name.contents))
            default: nil
            }
        }
        notBefore = Date(timeIntervalSince1970: Double(certificate.notValidBefore))
        notAfter = Date(timeIntervalSince1970: Double(certificate.notValidAfter))
    }

    /// Returns its names while it is valid; a connection, or a resumed TLS session, can outlive the certificate.
    package func names(at now: Date) -> [CertificateName] {
        notBefore <= now && now < notAfter ? names : []
    }
}
