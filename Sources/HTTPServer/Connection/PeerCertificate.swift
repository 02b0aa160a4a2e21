package import FleetToken
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// The certificate that a client showed, read once for its connection.
package struct PeerCertificate: Sendable {
    /// The URI and DNS names of its SAN.
    private let names: [String]
    private let notBefore: NumericDate
    private let notAfter: NumericDate

    /// Creates the certificate of a connection after its TLS handshake; nil if the client sent none that is readable.
    ///
    /// TLS has checked its chain; a certificate that was not valid then never gets here.
    init?(_ channel: any Channel) {
        guard let certificate = try? channel.pipeline.syncOperations.nioSSL_peerCertificate(),
            let bytes = try? certificate.toDERBytes(),
            let parsed = try? Certificate(derEncoded: bytes),
            let names = try? parsed.extensions.subjectAlternativeNames
        else { return nil }
        self.names = names.compactMap { name in
            switch name {
            case .dnsName(let name), .uniformResourceIdentifier(let name): name
            default: nil
            }
        }
        notBefore = NumericDate(seconds: Int64(certificate.notValidBefore))
        notAfter = NumericDate(seconds: Int64(certificate.notValidAfter))
    }

    /// Returns its names while it is valid; a connection, or a resumed TLS session, can outlive the certificate.
    package func names(at now: NumericDate) -> [String] {
        notBefore <= now && now < notAfter ? names : []
    }
}
