import FleetToken
import ServiceSupport
import TokenIssuance
import TokenMinting

/// Checks all files in the configuration, as the service does at start.
struct FileCheck {
    let findings: [Finding]

    init(
        _ configuration: ProductionConfiguration,
        at path: String,
        clock: ServiceClock
    ) {
        let loaded = LoadedConfiguration(
            checking: configuration,
            at: path,
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
            guard let account = configuration.kinds[kind] else { continue }
            subjects.append(("kinds.\(kind.rawValue)", account.summary))
        }
        for caller in configuration.callers {
            if case .apiKeys(let path) = caller.method {
                subjects.append(("callers.\(caller.name)", "\(path) has API keys."))
            } else if case .jwt(let issuer) = caller.method, case .file(let path) = issuer.keys {
                subjects.append(("callers.\(caller.name)", "\(path) has usable keys."))
            }
        }
        for webhook in configuration.webhooks {
            subjects.append(("webhooks.\(webhook.name)", "\(webhook.secretFile) has a secret."))
        }
        let audit = configuration.audit.file.map { "\($0) is writable." } ?? "The audit trail goes to standard output."
        subjects.append(("audit", audit))
        return subjects
    }
}
