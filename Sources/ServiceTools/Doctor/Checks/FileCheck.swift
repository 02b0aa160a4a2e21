import FleetToken
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
        let certificate = loaded.credentials.first { $0.kind == .certificate }
        let end = certificate.map { ", and the certificate expires \($0.notAfter.distance(from: clock.now))" } ?? ""
        let subjects = Self.subjects(configuration, certificateEnd: end)
        // A problem that concerns all callers is reported for each.
        let blamed = Set(problems.map(\.subject))
        let sound = subjects.filter { subject in
            !blamed.contains { $0 == subject.name || $0.hasPrefix(subject.name + ".") }
                && !blamed.contains(String(subject.name.prefix { $0 != "." }))
        }
        findings =
            sound.map { Finding(.ok, subject: $0.name, $0.text) }
            + loaded.warnings.map { Finding(.warn, $0) } + problems
    }

    private static func subjects(
        _ configuration: ProductionConfiguration,
        certificateEnd end: String
    ) -> [(name: String, text: String)] {
        var subjects: [(name: String, text: String)] = []
        if let tls = configuration.tls {
            subjects.append(("service.tls", "\(tls.certificate) and \(tls.key) match\(end)."))
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
