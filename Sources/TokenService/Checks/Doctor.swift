import AsyncHTTPClient
import FleetToken
import Logging
package import ServiceSupport
import TokenIssuance
import TokenMinting

/// Checks a configuration, its files and the services that it needs, and reports problems.
package struct Doctor: Sendable {
    private let path: String
    private let file: ConfigurationFile
    private let endpoints: GoogleEndpoints
    private let clock = ServiceClock.system

    /// Creates a doctor for a configuration.
    ///
    /// - Parameters:
    ///   - path: The configuration's file.
    ///   - environment: The process's environment.
    /// - Throws: ``ConfigurationError`` when the file cannot be read, or the environment is wrong.
    package init(path: String, environment: [String: String]) throws(ConfigurationError) {
        self.path = path
        file = ConfigurationFile(yaml: try ConfigurationText.read(path), path: path)
        endpoints = try GoogleEndpoints.chosen(by: environment)
    }

    /// Runs all checks.
    ///
    /// - Parameter fleetEngine: Calls Fleet Engine with a token of each kind; nil to call it not at all.
    /// - Returns: The findings, in the configuration's order.
    package func findings(fleetEngine: FleetEngineCheck? = nil) async -> [Finding] {
        var findings = file.problems.map { Finding(.fail, subject: "configuration", "\($0)") }
        // Checks the parts that could be read, even if others have problems.
        guard let configuration = file.readable else { return findings }
        if findings.isEmpty { findings = [Finding(.ok, subject: "configuration", "\(path) is valid.")] }
        if endpoints.isEmulator {
            findings.append(Finding(.warn, subject: "google", "An emulator replaces Google. Use this only for tests."))
        }
        findings += FileCheck(configuration, at: path, clock: clock).findings
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        let http = ClockCheck(OutgoingClient(client, clock: clock), clock: clock)
        findings += await signingFindings(configuration, fleetEngine: fleetEngine, over: http)
        findings += await KeySetCheck(http: http, clock: clock).findings(configuration.callers)
        for webhook in configuration.webhooks { findings.append(await Self.finding(webhook)) }
        try? await client.shutdown()
        return findings + [http.finding()]
    }

    /// Checks the account of each kind; unreadable ones are findings about files.
    private func signingFindings(
        _ configuration: ProductionConfiguration,
        fleetEngine: FleetEngineCheck?,
        over http: any OutgoingHTTP
    ) async -> [Finding] {
        let google = GoogleClient(http: http, endpoints: endpoints, clock: clock)
        let check = SigningCheck(google: google, http: http, fleetEngine: fleetEngine)
        var findings: [Finding] = []
        for kind in TokenKind.allCases {
            guard let account = configuration.kinds[kind], let signer = try? account.signer(google: google)
            else { continue }
            let (name, key) = ("kinds.\(kind.rawValue)", account.connections == nil ? signer.publicKeys.first : nil)
            findings += await check.findings(.init(name: name, kind: kind, signer: signer, localKey: key))
        }
        return findings
    }

    /// Checks whether a webhook is reachable, without sending a request.
    private static func finding(_ webhook: WebhookConfiguration) async -> Finding {
        let subject = "webhooks.\(webhook.name)"
        do throws(OutgoingError) {
            try await ConnectionProbe(url: webhook.url).run()
            return Finding(.ok, subject: subject, "\(webhook.url) is reachable.")
        } catch {
            return Finding(
                .fail,
                subject: subject,
                "\(webhook.url) is unreachable: \(error.finding). Requests that it decides are denied until it is reachable."
            )
        }
    }
}
