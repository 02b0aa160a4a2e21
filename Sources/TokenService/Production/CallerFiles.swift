import FleetToken
import NIOSSL
import ServiceSupport
import TokenIssuance

/// What the files of a caller hold, read at start, so that an invalid file is found before the first request.
struct CallerFiles {
    /// The certificates of its private authorities.
    private(set) var authorities: [ExpiringCredential] = []
    /// That a file has no keys, or which of them cannot be used.
    private(set) var warnings: [Problem] = []

    init(of caller: CallerConfiguration) throws {
        switch caller.method {
        case .apiKeys(let path):
            guard KeyFile.isPresent(path), APIKeyFile.ids(in: path) == [] else { return }
            let text =
                "\(path) has no keys, so all requests of this caller are refused. Create a key with: tokenctl apikey new"
            warnings = [Problem(text, setting: "apiKeys.file")]
        case .jwt(let issuer):
            if let path = issuer.authorities {
                let certificates = try OperatorError.within("jwt.caFile") { try Self.certificates(in: path) }
                let setting = "callers.\(caller.name)"
                authorities = ExpiringCredential.all(
                    .authority,
                    certificates,
                    in: path,
                    setting: setting,
                    part: "jwt.caFile"
                )
            }
            guard case .file(let path) = issuer.keys else { return }
            let keys = try OperatorError.within("jwt.keysFile") { try Self.keys(issuer, in: path) }
            let texts =
                keys.isEmpty
                ? ["\(path) has no keys, so all tokens of this issuer are refused."]
                : keys.unusableKeys.map { "\(path): \($0)" }
            warnings = texts.map { Problem($0, setting: "jwt.keysFile") }
        }
    }

    private static func certificates(in path: String) throws -> [NIOSSLCertificate] {
        let pem = try TrustedFile(path).read()
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(pem), !certificates.isEmpty else {
            throw OperatorError("\(path) has no PEM certificate, which begins with -----BEGIN CERTIFICATE-----.")
        }
        return certificates
    }

    private static func keys(_ issuer: JWTIssuerConfiguration, in path: String) throws -> IssuerKeySet {
        let (plan, json) = (KeySetPlan(issuer), try TrustedFile(path).read())
        do throws(KeySetFetchError) {
            return try KeySetFetching.keys(plan, in: json)
        } catch {
            throw OperatorError("\(path): \(error.description)")
        }
    }
}
