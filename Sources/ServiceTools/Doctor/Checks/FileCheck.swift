import FleetToken
import NIOSSL
import ServiceConfiguration
import ServiceSupport
import TokenIssuance
import TokenMinting
import TokenService

/// Checks all files in the configuration, as the service does at start.
struct FileCheck {
    let findings: [Finding]

    init(
        _ configuration: ProductionConfiguration,
        at path: String,
        accounts: AccountReader,
        clock: ServiceClock
    ) {
        let loaded = LoadedConfiguration(
            checking: configuration,
            at: path,
            accounts: accounts,
            clock: clock
        )
        let problems = loaded.problems.map { Finding(.fail, $0) }
        let subjects = Self.subjects(configuration)
        // A problem that concerns all callers is reported for each.
        let blamed = Set(problems.map(\.subject))
        let sound = subjects.filter { subject in
            !blamed.contains { $0 == subject.name || $0.hasPrefix(subject.name + ".") }
                && !blamed.contains(String(subject.name.prefix { $0 != "." }))
        }
        // CertificateCheck reports when the listener's certificate ends.
        let warnings = loaded.warnings.filter { $0.setting != "service.tls.certificate" }
        findings =
            sound.map { Finding(.ok, subject: $0.name, $0.text) }
            + warnings.map { Finding(.warn, $0) } + problems
    }

    private static func subjects(_ configuration: ProductionConfiguration) -> [(name: String, text: String)] {
        var subjects: [(name: String, text: String)] = []
        if let tls = configuration.tls {
            subjects.append(("service.tls", "\(tls.certificate) and \(tls.key) match."))
        }
        for kind in TokenKind.allCases {
            for (name, account) in configuration.kinds[kind]?.accounts(of: kind) ?? [] {
                subjects.append((name, account.text))
            }
        }
        for caller in configuration.callers {
            switch caller.method {
            case .jwt(let issuer):
                guard case .file(let path) = issuer.keys else { continue }
                subjects.append(("callers.\(caller.name)", "\(path) has usable keys."))
            case .apiKeys(let path): subjects.append(("callers.\(caller.name)", "\(path) has API keys."))
            case .certificate: continue
            }
        }
        for webhook in configuration.webhooks {
            subjects.append(("webhooks.\(webhook.name)", "\(webhook.secretFile) has a secret."))
        }
        switch configuration.audit.sink {
        case .standardOutput: subjects.append(("audit", "The audit trail goes to standard output."))
        case .file(let path): subjects.append(("audit", "\(path) is writable."))
        }
        return subjects
    }
}

extension AccountConfiguration {
    fileprivate var text: String {
        switch self {
        case .serviceAccount(let file): "\(file) is a service account key (\(Self.permissions(file)))."
        case .pem(let file, _, _): "\(file) is a private key (\(Self.permissions(file)))."
        case .pkcs11(let key, _, _): "The token \(key.token) has a key labelled \(key.key)."
        case .iam(let iam):
            iam.credentials.map { "\($0) is a service account key (\(Self.permissions($0)))." }
                ?? "No key file is needed."
        }
    }

    /// A file's mode as it is.
    private static func permissions(_ file: String) -> String {
        KeyFile.permissions(file) ?? "its mode is not known"
    }
}

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
