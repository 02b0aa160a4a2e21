import FleetToken
import ServiceSupport
import TokenIssuance
import TokenMinting

/// Checks all files in the configuration, as the service does at start.
struct FileCheck {
    let findings: [Finding]
    /// The kinds whose account was read; the keys on this machine have signed a test.
    let signing: [TokenKind]

    init(_ configuration: ProductionConfiguration, clock: ServiceClock) async {
        let loaded = LoadedConfiguration(checking: configuration, clock: clock)
        // Keys at Google cannot be tried without asking it.
        let local = loaded.keys.signers.filter { kind, _ in configuration.kinds[kind]?.connections == nil }
        let test = SigningTest(of: local)
        let failures = await test.run(at: clock.now).problems
        signing = loaded.keys.signers.keys.filter { !test.failing.contains($0) }
        let problems = loaded.problems + failures.map(configuration.locations.located)
        findings =
            Self.sound(configuration, loaded, besides: Set(problems.map(\.setting)), clock: clock)
            + problems.map { Finding(.fail, $0) } + loaded.warnings.map { Finding(.warn, $0) }
    }

    /// Returns the subjects that no problem is about.
    private static func sound(
        _ configuration: ProductionConfiguration,
        _ loaded: LoadedConfiguration,
        besides blamed: Set<String>,
        clock: ServiceClock
    ) -> [Finding] {
        let certificate = loaded.credentials.first { $0.kind == .certificate }
        let end = certificate.map { ", and the certificate expires \($0.notAfter.distance(from: clock.now))" } ?? ""
        return subjects(configuration, certificateEnd: end)
            .filter { subject in
                // A problem that concerns all callers is one of each.
                !blamed.contains { $0 == subject.name || $0.hasPrefix(subject.name + ".") }
                    && !blamed.contains(String(subject.name.prefix { $0 != "." }))
            }
            .map { Finding(.ok, subject: $0.name, $0.text) }
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
                let count = APIKeyFile.ids(in: path)?.count ?? 0
                subjects.append(("callers.\(caller.name)", "\(path) has \(count) API key\(count == 1 ? "" : "s")."))
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
