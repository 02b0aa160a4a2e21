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
        guard let certificate = await certificate(of: channel),
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

    private static func certificate(of channel: any Channel) async -> NIOSSLCertificate? {
        if let certificate = try? await channel.nioSSL_peerCertificate().get() { return certificate }
        // A stream of HTTP/2 is a channel of its own, on one that has TLS.
        return try? await channel.parent?.nioSSL_peerCertificate().get()
    }
}
