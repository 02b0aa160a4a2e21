import FleetToken
package import ServiceSupport
import TokenMinting

extension Report {
    /// Checks a configuration, the files that it names and its ports, everything but the network; it leaves no trace.
    ///
    /// Checks the parts that can be read, even if others have problems.
    package init(configuration path: String, environment: [String: String]) async throws(ConfigurationError) {
        let file = ConfigurationFile(yaml: try ConfigurationText.read(path), path: path)
        var findings = file.problems.map { Finding(.fail, $0) }
        if var configuration = file.readable {
            if let listen = environment["TOKEND_LISTEN"] {
                do throws(ConfigurationError) {
                    let address = try ListenAddress(setting: listen)
                    // With other problems, it would repeat them.
                    if findings.isEmpty { configuration = try configuration.listening(at: address) }
                } catch {
                    findings += error.problems.map { Finding(.fail, subject: "TOKEND_LISTEN", "\($0)") }
                }
            }
            findings += await Self.files(configuration, at: path)
            findings += await Self.ports(configuration)
        }
        // In the order of the file's lines; those of one line stay in their order.
        findings.sort { $0.line ?? 0 < $1.line ?? 0 }
        self.init(findings, of: path, success: "Configuration is valid.")
    }

    private static func files(
        _ configuration: ProductionConfiguration,
        at path: String
    ) async -> [Finding] {
        let clock = ServiceClock.system
        let loaded = LoadedConfiguration(checking: configuration, at: path, clock: clock)
        // Keys at Google cannot be tried without asking it.
        let local = loaded.keys.signers.filter { kind, _ in
            configuration.kinds[kind]?.connections == nil
        }
        let locate = configuration.locations.located
        let problems = loaded.problems + (await SigningTest(of: local, at: clock.now).problems.map(locate))
        var warnings = loaded.warnings
        if loaded.hasRSACertificate {
            warnings.append(
                locate(
                    Problem(
                        "has an RSA key, with which each new connection takes more than twice the processor time. Use a certificate with an ECDSA key (P-256).",
                        setting: "service.tls.certificate"
                    )
                )
            )
        }
        return problems.map { Finding(.fail, $0) } + warnings.map { Finding(.warn, $0) }
    }

    private static func ports(_ configuration: ProductionConfiguration) async -> [Finding] {
        var findings: [Finding] = []
        for (setting, address) in [("service.listen", configuration.listen), ("admin.listen", configuration.admin)] {
            guard let problem = await address.problem() else { continue }
            // A running service has its own port.
            let level = problem.isInUse ? Finding.Level.warn : .fail
            findings.append(Finding(level, configuration.locations.located(Problem(problem.text, setting: setting))))
        }
        return findings
    }
}
