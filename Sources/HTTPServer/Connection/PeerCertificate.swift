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

    /// The certificate of a connection whose TLS handshake is over; nil where the client showed none that can be read.
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

    /// Its names, while it is valid; a connection, and a TLS session that is resumed, may outlive it.
    package func names(at now: NumericDate) -> [String] {
        notBefore <= now && now < notAfter ? names : []
    }
}
