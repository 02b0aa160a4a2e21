import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// The names in the certificate that a client showed.
enum PeerCertificate {
    /// The URI and DNS names of the certificate's SAN; none where there is no certificate, or no TLS.
    ///
    /// TLS has checked the certificate's chain before the first byte of a request; one that is not valid never gets here.
    static func names(of channel: any Channel) async -> [String] {
        guard let certificate = try? await channel.nioSSL_peerCertificate().get(),
            let bytes = try? certificate.toDERBytes(),
            let parsed = try? Certificate(derEncoded: bytes),
            let names = try? parsed.extensions.subjectAlternativeNames
        else { return [] }
        return names.compactMap { name in
            switch name {
            case .dnsName(let name), .uniformResourceIdentifier(let name): name
            default: nil
            }
        }
    }
}
