import FleetToken
import NIOSSL
import ServiceSupport
import TokenIssuance
import TokenMinting

extension ProductionConfiguration {
    /// Returns the credentials in the configuration's files that expire.
    ///
    /// A file that cannot be read has none; other checks report it.
    func expiringCredentials(_ authenticator: CallerAuthenticator?) -> [ExpiringCredential] {
        var credentials: [ExpiringCredential] = []
        for name in Set(callers.map(\.name)).sorted() {
            credentials += authenticator?.expiringKeys(of: name) ?? []
        }
        for caller in callers {
            guard case .jwt(let issuer) = caller.method, let path = issuer.authorities else { continue }
            credentials += Self.certificates(.authority, "callers.\(caller.name)", part: "jwt.caFile", in: path)
        }
        if let tls = tls {
            credentials += Self.certificates(.certificate, "service.tls", part: "certificate", in: tls.certificate)
                .prefix(1)
        }
        return credentials
    }

    /// Returns the certificates of a PEM file.
    private static func certificates(
        _ kind: ExpiringCredential.Kind,
        _ setting: String,
        part: String = "",
        in path: String
    ) -> [ExpiringCredential] {
        guard let pem = try? KeyFile.read(path), let certificates = try? NIOSSLCertificate.fromPEMBytes(pem) else {
            return []
        }
        return certificates.enumerated().map { index, certificate in
            let place = certificates.count > 1 ? "certificate \(index + 1) of \(path)" : path
            let notAfter = NumericDate(seconds: Int64(certificate.notValidAfter))
            return ExpiringCredential(kind, setting: setting, part: part, name: place, notAfter: notAfter)
        }
    }
}
