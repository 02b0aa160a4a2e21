import FleetToken
import NIOSSL
import ServiceConfiguration
import ServiceSupport
import TokenIssuance
import TokenMinting

/// Looks when the listener's certificate expires.
struct CertificateCheck {
    /// How long before expiry to warn, in seconds.
    static let notice = ExpiringCredential.notice

    /// Returns the finding for a certificate; nil if it cannot be read, which another check reports.
    static func finding(_ files: TLSFiles, now: NumericDate) -> Finding? {
        guard let pem = try? KeyFile.read(files.certificate),
            let certificate = try? NIOSSLCertificate.fromPEMBytes(pem).first
        else { return nil }
        return finding(files.certificate, expiresAt: NumericDate(seconds: Int64(certificate.notValidAfter)), now: now)
    }

    static func finding(_ path: String, expiresAt: NumericDate, now: NumericDate) -> Finding {
        let left = expiresAt - now
        guard left > 0 else {
            let text = "\(path) expired \(expiresAt.distance(from: now)). Clients reject it. Renew it."
            return Finding(.fail, subject: "service.tls", text)
        }
        let text = "\(path) expires \(expiresAt.distance(from: now))."
        return left < notice
            ? Finding(.warn, subject: "service.tls", "\(text) Renew it.") : Finding(.ok, subject: "service.tls", text)
    }
}
