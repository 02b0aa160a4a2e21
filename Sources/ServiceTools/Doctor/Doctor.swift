import AsyncHTTPClient
import FleetToken
import Logging
import ServiceConfiguration
package import ServiceSupport
import TokenMinting
import TokenService

/// Checks a configuration, its files and the services that it needs, and reports problems.
package struct Doctor: Sendable {
    private let path: String
    private let file: ConfigurationFile
    private let endpoints: GoogleEndpoints
    private let clock: ServiceClock

    /// Creates a doctor for a configuration.
    ///
    /// - Parameters:
    ///   - yaml: The file's bytes.
    ///   - path: The file's name, for messages.
    ///   - environment: The process's environment.
    ///   - clock: The time.
    /// - Throws: ``ConfigurationError`` when the environment is wrong.
    package init(
        yaml: [UInt8],
        path: String,
        environment: [String: String],
        clock: ServiceClock = .system
    ) throws(ConfigurationError) {
        self.path = path
        file = ConfigurationFile(yaml: yaml, path: path)
        endpoints = try GoogleEndpoints.chosen(by: environment)
        self.clock = clock
    }

    /// Runs all checks.
    ///
    /// - Parameters:
    ///   - isOffline: Whether to skip checks that use the network.
    ///   - clockURL: A server to compare this machine's clock with; nil for the servers that are used anyway.
    ///   - fleetEngine: Calls Fleet Engine with a token of each kind; nil to call it not at all.
    /// - Returns: The findings, in the configuration's order.
    package func findings(
        isOffline: Bool,
        clockURL: String? = nil,
        fleetEngine: FleetEngineCheck? = nil
    ) async -> [Finding] {
        var findings = file.problems.map { Finding(.fail, subject: "configuration", "\(path): \($0)") }
        // Checks the parts that could be read, even if others have problems.
        guard let configuration = file.readable else { return findings }
        if findings.isEmpty { findings = [Finding(.ok, subject: "configuration", "\(path) is valid.")] }
        if endpoints.isEmulator {
            findings.append(Finding(.warn, subject: "google", "An emulator replaces Google. Use this only for tests."))
        }
        let reader = AccountReader()
        await reader.open(configuration.kinds.values)
        findings += FileCheck(configuration, at: path, accounts: reader, clock: clock).findings
        if let tls = configuration.tls, let expiry = CertificateCheck.finding(tls, now: clock.now) {
            findings.append(expiry)
        }
        let accounts = Self.accounts(configuration, reader)
        guard !isOffline else {
            let signing = SigningCheck(google: ProductionNetwork.none.google)
            for account in accounts where account.account.localKey != nil {
                findings.append(await signing.selfTest(account))
            }
            return findings + [Finding(.ok, subject: "network", "Skipped (--offline).")]
        }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        let http = OutgoingClient(client, clock: clock)
        findings += await remoteFindings(
            configuration,
            accounts: accounts,
            http: http,
            clockURL: clockURL,
            fleetEngine: fleetEngine
        )
        try? await client.shutdown()
        return findings
    }

    private func remoteFindings(
        _ configuration: ProductionConfiguration,
        accounts: [SigningCheck.Subject],
        http: any OutgoingHTTP,
        clockURL: String?,
        fleetEngine: FleetEngineCheck?
    ) async -> [Finding] {
        var findings: [Finding] = []
        let check = ClockCheck(clock: clock)
        let clocked = ClockedHTTP(http: http, check: check)
        let signing = SigningCheck(google: GoogleClient(http: clocked, endpoints: endpoints, clock: clock))
        for account in accounts {
            findings.append(await signing.selfTest(account))
            if let finding = await signing.publication(account) { findings.append(finding) }
            if let fleetEngine,
                let finding = await signing.acceptance(of: account, by: fleetEngine, over: clocked)
            {
                findings.append(finding)
            }
        }
        for caller in configuration.callers {
            guard case .jwt(let issuer) = caller.method else { continue }
            let check = KeySetCheck(http: clocked, clock: clock)
            if let finding = await check.finding(caller: caller.name, issuer: issuer) { findings.append(finding) }
        }
        for webhook in configuration.webhooks { findings.append(await Self.finding(webhook)) }
        if let redis = configuration.limits.redis { findings.append(await Self.finding(redis)) }
        if let clockURL { await check.compare(with: clockURL, over: http) }
        return findings + [check.finding(url: clockURL)]
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

    /// Checks that Redis shares the limits, with the service's own calls.
    private static func finding(_ redis: LimitsConfiguration.Redis) async -> Finding {
        guard let failure = await RedisProbe.failure(of: redis) else {
            return Finding(.ok, subject: "limits.redis", "Redis at \(redis.address) shares the limits.")
        }
        return Finding(
            .fail,
            subject: "limits.redis",
            "Redis at \(redis.address) does not share the limits: \(failure). Until it does, each replica uses local limits."
        )
    }

    /// Returns the current and future signers; unreadable ones are findings about files.
    private static func accounts(
        _ configuration: ProductionConfiguration,
        _ reader: AccountReader
    ) -> [SigningCheck.Subject] {
        TokenKind.allCases.flatMap { kind in
            (configuration.kinds[kind]?.accounts(of: kind) ?? []).compactMap { name, account in
                (try? reader.read(account)).map { SigningCheck.Subject(name: name, kind: kind, account: $0) }
            }
        }
    }
}

extension KindConfiguration {
    /// Returns the current and next accounts, each with its path in the configuration.
    func accounts(of kind: TokenKind) -> [(name: String, account: AccountConfiguration)] {
        let path = "kinds.\(kind.rawValue)"
        let next = next.map { [("\(path).next", $0.account)] } ?? []
        return [(path, account)] + next.filter { $0.1.isPresent }
    }
}
