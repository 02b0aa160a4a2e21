import FleetToken
import Logging
import ServiceConfiguration
import TokenMinting
import TokenService

/// Checks all files in the configuration, as the service does at start.
struct FileCheck {
    let findings: [Finding]

    init(_ configuration: ProductionConfiguration, at path: String, _ accounts: AccountReader) {
        let parts = ServiceComponents(
            configuration,
            at: path,
            SharedResources(
                network: .none,
                accounts: accounts,
                logger: Logger(label: "doctor", factory: { _ in SwiftLogNoOpLogHandler() }),
                now: { .now }
            ),
            isTrial: true
        )
        let problems = parts.problems.map { Self.finding(.fail, $0) }
        let subjects = Self.subjects(configuration)
        // A problem that concerns all callers is reported for each.
        let blamed = Set(problems.map(\.subject))
        let sound = subjects.filter { subject in
            !blamed.contains(subject.name) && !blamed.contains(String(subject.name.prefix { $0 != "." }))
        }
        findings =
            sound.map { Finding(.ok, $0.name, $0.text) } + parts.warnings.map { Self.finding(.warn, $0) } + problems
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

    /// Splits a problem's text into its path in the configuration, if it has one, and the description.
    private static func finding(_ level: Finding.Level, _ text: String) -> Finding {
        let parts = text.split(separator: ": ", maxSplits: 1)
        guard parts.count == 2, parts[0].utf8.allSatisfy(isInPath) else { return Finding(level, "kinds", text) }
        return Finding(level, String(parts[0]), String(parts[1]))
    }

    private static func isInPath(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "/")
    }
}

extension AccountConfiguration {
    fileprivate var text: String {
        switch self {
        case .serviceAccount(let file): "\(file) is a service account key, readable only by its owner."
        case .pem(let file, _, _): "\(file) is a private key, readable only by its owner."
        case .pkcs11(let key, _, _): "The token \(key.token) has a key labelled \(key.key)."
        case .iam(let iam):
            iam.credentials.map { "\($0) is a service account key, readable only by its owner." }
                ?? "No key file is needed."
        }
    }
}
