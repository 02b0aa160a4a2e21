import FleetToken
import Logging
import TokenMinting

/// Looks at a configuration, the files that it names and the services that it needs, and says what is wrong with them.
public struct Doctor: Sendable {
    private let path: String
    private let file: ConfigurationFile
    private let endpoints: GoogleEndpoints

    /// A doctor for a configuration.
    ///
    /// - Parameters:
    ///   - yaml: The file's bytes.
    ///   - path: The file's name, for messages.
    ///   - environment: The process's environment.
    /// - Throws: ``ConfigurationError`` when the environment is wrong.
    public init(yaml: [UInt8], path: String, environment: [String: String]) throws(ConfigurationError) {
        self.path = path
        file = ConfigurationFile(yaml: yaml)
        endpoints = try GoogleEndpoints.chosen(by: environment)
    }

    /// Looks at everything.
    ///
    /// - Parameters:
    ///   - isOffline: Whether to leave the network alone.
    ///   - clockURL: A server whose clock this machine's is compared with; nil for those that are asked anyway.
    /// - Returns: What was found, in the configuration's order.
    public func findings(isOffline: Bool, clockURL: String? = nil) async -> [Finding] {
        guard let configuration = file.configuration else {
            return file.problems.map { Finding(.fail, "configuration", "\(path): \($0)") }
        }
        var findings = [Finding(.ok, "configuration", "\(path) has no mistakes.")]
        if endpoints.isEmulator {
            findings.append(Finding(.warn, "google", "A stand-in is asked in place of Google. This is for tests."))
        }
        let files = FileCheck(configuration)
        findings += files.findings
        if let tls = configuration.tls, let expiry = CertificateCheck.finding(tls, now: .now) {
            findings.append(expiry)
        }
        let accounts = files.accounts
        guard !isOffline else {
            let signing = SigningCheck(google: ProductionNetwork.none.google)
            for (kind, account) in accounts.inOrder where account.localKey != nil {
                findings.append(await signing.selfTest(kind, account))
            }
            return findings + [Finding(.ok, "network", "Not looked at (--offline).")]
        }
        let network = HTTPDoctorNetwork()
        findings += await remoteFindings(configuration, accounts, network, clockURL: clockURL)
        await network.shutdown()
        return findings
    }

    private func remoteFindings(
        _ configuration: ServiceConfiguration,
        _ accounts: [TokenKind: SigningAccount],
        _ network: HTTPDoctorNetwork,
        clockURL: String?
    ) async -> [Finding] {
        var findings: [Finding] = []
        let clock = ClockCheck()
        let transport = ClockedTransport(google: network.google, clock: clock)
        let signing = SigningCheck(google: GoogleClient(transport: transport, endpoints: endpoints))
        for (kind, account) in accounts.inOrder {
            findings.append(await signing.selfTest(kind, account))
            if let jwk = account.localKey {
                findings.append(await signing.publication(kind, account.email, jwk))
            }
        }
        for caller in configuration.callers {
            guard case .jwt(let issuer) = caller.method, case .url(let url) = issuer.keys else { continue }
            findings.append(await KeySetCheck(network: network, clock: clock).finding(caller: caller.name, url: url))
        }
        for webhook in configuration.webhooks {
            findings.append(await WebhookCheck(network: network).finding(webhook))
        }
        if let clockURL { await clock.ask(clockURL, network) }
        return findings + [clock.finding(url: clockURL)]
    }
}

extension [TokenKind: SigningAccount] {
    fileprivate var inOrder: [(TokenKind, SigningAccount)] {
        TokenKind.allCases.compactMap { kind in self[kind].map { (kind, $0) } }
    }
}
