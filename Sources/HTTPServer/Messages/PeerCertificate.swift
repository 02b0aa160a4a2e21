import NIOCore
import NIOSSL
package import ServiceSupport

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

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
