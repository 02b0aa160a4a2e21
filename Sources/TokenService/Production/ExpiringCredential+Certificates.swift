import FleetToken
import NIOSSL
import TokenIssuance

extension ExpiringCredential {
    /// Returns the certificates of a PEM file as credentials that end.
    static func all(
        _ kind: Kind,
        _ certificates: [NIOSSLCertificate],
        in path: String,
        setting: String,
        part: String
    ) -> [ExpiringCredential] {
        certificates.enumerated().map { index, certificate in
            let place = certificates.count > 1 ? "certificate \(index + 1) of \(path)" : path
            let notAfter = NumericDate(seconds: Int64(certificate.notValidAfter))
            return ExpiringCredential(kind, setting: setting, part: part, name: place, notAfter: notAfter)
        }
    }
}
