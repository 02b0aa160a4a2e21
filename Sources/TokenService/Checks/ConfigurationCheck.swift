import AsyncHTTPClient
import FleetToken
import Logging
package import ServiceSupport
import TokenIssuance
import TokenMinting

/// Checks a configuration, its files and its ports, and live also the servers that it needs.
package struct ConfigurationCheck: Sendable {
    private let path: String
    private let file: ConfigurationFile
    /// The address to listen on instead of the configured one, and what sets it.
    private let listen: (setting: String, address: String)?
    /// The name of the variable that names a proxy for outgoing connections, if it is set.
    private let proxyVariable: String?
    private let addresses: GoogleAddresses
    private let clock = ServiceClock.system

    /// The time limit of a request to another server.
    static let timeout = Duration.seconds(10)

    /// Creates the check of a file.
    ///
    /// - Throws: ``OperatorError`` when the file cannot be read, or the environment is wrong.
    package init(
        path: String,
        listeningAt option: String? = nil,
        environment: [String: String]
    ) throws(OperatorError) {
        self.path = path
        file = try ConfigurationFile(path: path)
        listen =
            option.map { ("--listen", $0) } ?? environment["TOKEND_LISTEN"].map { ("TOKEND_LISTEN", $0) }
        proxyVariable = ["HTTPS_PROXY", "https_proxy"].first { environment[$0]?.utf8.isEmpty == false }
        addresses = try GoogleAddresses.chosen(by: environment)
    }

    /// Checks everything but the network, and leaves no trace.
    ///
    /// - Returns: Each problem and warning with its line.
    package func report() async -> Report {
        Report(await localFindings().findings, of: path, success: "Configuration is valid.")
    }

    /// Returns all that prevents the start as an error; nil if nothing does.
    func error() async -> OperatorError? {
        let failures = await localFindings().findings.filter { $0.level == .fail }
        let problems = failures.map { finding in
            var problem = Problem(finding.text, setting: finding.subject, line: finding.line)
            problem.file = path
            return problem
        }
        return problems.isEmpty ? nil : OperatorError(problems: problems)
    }

    /// Checks everything, and whether Google, Fleet Engine, the issuers and the webhooks are reachable and accept what they get.
    ///
    /// - Parameter project: The Google Cloud project of the fleet; nil for that of each service account.
    /// - Returns: A table with what is well, too.
    package func liveReport(project: String?) async -> Report {
        let (findings, signing) = await localFindings()
        return Report(findings + (await liveFindings(project: project, signing: signing)))
    }

    // MARK: - This machine

    /// Returns the findings in the order of the file's lines, and the kinds whose keys can be tried.
    ///
    /// The parts that can be read are checked, even if others have problems.
    private func localFindings() async -> (findings: [Finding], signing: [TokenKind]) {
        let distrust = TrustedFile(path).problems.map { Problem($0, setting: "configuration") }
        var findings = (file.problems + distrust).map { Finding(.fail, $0) }
        guard var configuration = file.readable else { return (findings, []) }
        if findings.isEmpty { findings = [Finding(.ok, subject: "configuration", "\(path) is valid.")] }
        if let listen {
            do throws(OperatorError) {
                let address = try ListenAddress(setting: listen.address)
                if file.problems.isEmpty {
                    configuration = try configuration.listening(at: address)
                } else {
                    // Checking it would repeat the other problems.
                    configuration.listen = address
                }
            } catch {
                findings += error.problems.map { Finding(.fail, subject: listen.setting, "\($0)") }
            }
        }
        if let proxyVariable {
            findings.append(
                Finding(
                    .warn,
                    subject: proxyVariable,
                    "The service does not use a proxy. Allow it to connect to issuers, Google and webhooks directly."
                )
            )
        }
        let files = await FileCheck(configuration, clock: clock)
        findings += files.findings
        findings += await Self.ports(configuration)
        // Those of one line stay in their order.
        findings.sort { $0.line ?? 0 < $1.line ?? 0 }
        return (findings, files.signing)
    }

    private static func ports(_ configuration: ProductionConfiguration) async -> [Finding] {
        var findings: [Finding] = []
        for (setting, address) in [("service.listen", configuration.listen), ("admin.listen", configuration.admin)] {
            // The running service uses its ports.
            guard let problem = await address.problem(), !problem.isInUse else { continue }
            findings.append(Finding(.fail, configuration.locations.located(Problem(problem.text, setting: setting))))
        }
        return findings
    }

    // MARK: - Other machines

    /// Checks whether the issuers' keys can be fetched.
    package func issuerFindings() async -> [Finding] {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        let check = KeySetCheck(http: OutgoingClient(client, clock: clock), clock: clock)
        let findings = await check.findings(file.readable?.callers ?? [])
        try? await client.shutdown()
        return findings
    }

    private func liveFindings(project: String?, signing: [TokenKind]) async -> [Finding] {
        guard let configuration = file.readable else { return [] }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        let http = OutgoingClient(client, clock: clock)
        let clockCheck = ClockCheck(http, clock: clock)
        let google = GoogleClient(http: clockCheck, addresses: addresses, clock: clock)
        let fleetEngine = FleetEngineCheck(addresses, project: project)
        let check = SigningCheck(google: google, http: clockCheck, fleetEngine: fleetEngine)
        var findings: [Finding] = []
        if addresses.isEmulator {
            findings.append(Finding(.warn, subject: "google", "An emulator replaces Google. Use this only for tests."))
        }
        findings += await check.findings(configuration.kinds.filter { signing.contains($0.key) })
        findings += await KeySetCheck(http: clockCheck, clock: clock).findings(configuration.callers)
        for webhook in configuration.webhooks { findings.append(await Self.finding(webhook, over: http)) }
        try? await client.shutdown()
        return findings + [clockCheck.finding()]
    }

    /// Checks whether a webhook responds, to a request without a question and a signature.
    private static func finding(_ webhook: WebhookConfiguration, over http: OutgoingClient) async -> Finding {
        let (subject, url) = ("webhooks.\(webhook.name)", webhook.url.text)
        var request = OutgoingRequest(.get, url)
        request.timeout = timeout
        do throws(OutgoingError) {
            _ = try await http.send(request)
            return Finding(.ok, subject: subject, "\(url) is reachable.")
        } catch OutgoingError.tooLarge {
            return Finding(.ok, subject: subject, "\(url) is reachable.")
        } catch {
            return Finding(
                .fail,
                subject: subject,
                "\(url) is unreachable: \(error.finding). Requests that it decides get 503 until it is reachable."
            )
        }
    }
}
