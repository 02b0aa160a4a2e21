import FleetToken
import HTTPServer
import JOSE
import Logging
import NIOSSL
package import ServiceConfiguration
package import ServiceSupport
import Telemetry
import TokenIssuance
import TokenMinting

/// A configuration with what its files hold, as far as it can be used, and the problems of the rest.
///
/// A file that cannot be used is a problem, and loading continues, so that the operator sees all problems at once.
package struct LoadedConfiguration: Sendable {
    let configuration: ProductionConfiguration
    package internal(set) var problems: [String] = []
    package internal(set) var warnings: [String]
    package private(set) var keys = SigningKeys()
    private(set) var minter = TokenMinter(rings: [:])
    private(set) var certificate: LoadedCertificate?
    private(set) var authenticator: CallerAuthenticator?
    private(set) var webhooks: [String: any ScopeWebhook] = [:]
    private(set) var audit: AuditTrail?
    private(set) var redisPassword: Secret?
    private(set) var credentials: [ExpiringCredential] = []
    private var listed: Set<String> = []
    /// Why files are not trusted; reading one gives the same reason again.
    private var distrust: Set<String> = []

    /// Reads the files of a configuration; the keys in PKCS#11 tokens must be open.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - path: The path of its file.
    ///   - shared: The resources that outlive it.
    ///   - previous: The service in use, whose audit trail is kept.
    ///   - isTrial: Whether to check only, without side effects.
    init(
        _ configuration: ProductionConfiguration,
        at path: String,
        _ shared: SharedResources,
        replacing previous: LoadedService? = nil,
        isTrial: Bool = false
    ) {
        self.configuration = configuration
        warnings = configuration.warnings
        let untrusted = configuration.trustProblems(path)
        report(untrusted.map { "\($0.name): \($0.problem)" })
        distrust = Set(untrusted.map(\.problem))
        loadKeys(shared, replacing: previous)
        certificate =
            attempt("service.tls") {
                try configuration.tls.map {
                    try LoadedCertificate($0, http2: configuration.http2, at: shared.clock.now.date)
                }
            } ?? nil
        loadCallers(shared)
        loadWebhooks(shared)
        audit =
            attempt("audit") {
                try isTrial ? configuration.inspectAudit() : configuration.auditTrail(shared, replacing: previous)
            } ?? nil
        loadRedisFiles()
        credentials = expiringCredentials()
        warnings += credentials.compactMap { $0.warning(at: shared.clock.now) }
    }

    /// Reads the files of a configuration as the service does at start, without the network and without side effects.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - path: The path of its file.
    ///   - accounts: Has opened the keys in PKCS#11 tokens.
    ///   - clock: The time.
    package init(
        checking configuration: ProductionConfiguration,
        at path: String,
        accounts: AccountReader,
        clock: ServiceClock
    ) {
        let shared = SharedResources(
            network: .none,
            accounts: accounts,
            logger: Logger(label: "tokend", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: clock
        )
        self.init(configuration, at: path, shared, isTrial: true)
    }

    /// Whether the listener's certificate has an RSA key.
    package var hasRSACertificate: Bool { certificate?.usesRSA ?? false }

    /// Lists problems that are not listed yet.
    private mutating func report(_ found: [String]) {
        problems += found.filter { !isDistrust($0[...]) && listed.insert($0).inserted }
    }

    /// Returns whether a problem, or what follows the setting that it names, is a reason not to trust a file.
    private func isDistrust(_ problem: Substring) -> Bool {
        if distrust.contains(String(problem)) { return true }
        return problem.firstRange(of: ": ").map { isDistrust(problem[$0.upperBound...]) } ?? false
    }

    /// Returns what is loaded, or records why it cannot be.
    private mutating func attempt<Part>(_ path: String, _ load: () throws -> Part) -> Part? {
        do {
            return try load()
        } catch let error as ConfigurationError {
            report(error.problems.map { "\(path): \($0)" })
        } catch {
            report(["\(path): \(OperatorMessage(error))"])
        }
        return nil
    }
}

// MARK: - Keys

extension LoadedConfiguration {
    private mutating func loadKeys(_ shared: SharedResources, replacing previous: LoadedService?) {
        let (kinds, limits) = (configuration.kinds, configuration.limits)
        keys = SigningKeys(kinds, at: shared.clock.now) { account in
            try shared.accounts.read(account).signer(shared, limits: limits)
        }
        if let previous { keys.checkAccounts(kinds, since: (previous.configuration.kinds, previous.rings)) }
        report(keys.problems)
        warnings += keys.warnings
        minter = TokenMinter(rings: keys.rings)
        _ = attempt("kinds") { [minter] in try minter.keys() }
    }
}

// MARK: - Callers, webhooks and Redis

extension LoadedConfiguration {
    private mutating func loadCallers(_ shared: SharedResources) {
        let (callers, ownAccounts) = (configuration.callers, keys.accounts)
        authenticator = attempt("callers") {
            try CallerAuthenticator(
                callers: callers,
                ownAccounts: ownAccounts,
                fetching: shared.fetching,
                cache: shared.keySets,
                clock: shared.clock
            )
        }
        for caller in callers {
            let warning = attempt("callers.\(caller.name)") { try caller.checkFiles() } ?? nil
            if let warning { warnings.append("callers.\(caller.name): \(warning)") }
        }
    }

    private mutating func loadWebhooks(_ shared: SharedResources) {
        let configuration = configuration
        let limits = AdmissionLimits(configuration.limits)
        webhooks =
            attempt("webhooks") {
                try configuration.webhooks.reduce(into: [:]) { webhooks, webhook in
                    webhooks[webhook.name] = try AuthorizationWebhook(
                        webhook,
                        limits: limits.leaving(
                            .milliseconds(webhook.timeout),
                            of: .seconds(configuration.limits.handle)
                        ),
                        secret: try SecretFile.read(webhook.secretFile),
                        http: shared.network.webhooks,
                        metrics: shared.metrics.issuance.webhooks,
                        clock: shared.clock
                    )
                }
            } ?? [:]
    }

    private mutating func loadRedisFiles() {
        guard let redis = configuration.limits.redis else { return }
        let read = attempt("limits.redis.passwordFile") {
            try redis.passwordFile.map { try SecretFile.read($0, minimumSize: RedisRateStore.minimumPasswordSize) }
        }
        guard let password = read else { return }
        redisPassword = password
        if password == nil, redis.tls?.certificate == nil, !redis.address.isLoopback {
            warnings.append(
                "limits.redis: any client that can reach \(redis.address) can reset the limits. Set passwordFile, and outside a private network tls."
            )
        }
        if let tls = redis.tls { _ = attempt("limits.redis.tls") { try tls.check() } }
    }
}

extension CallerConfiguration {
    /// Reads its keys and authorities from their files, so that an invalid file is found before the first request.
    ///
    /// - Returns: A warning if a file has no keys.
    fileprivate func checkFiles() throws -> String? {
        if case .apiKeys(let path) = method, KeyFile.isPresent(path), APIKeyFile.ids(in: path) == [] {
            return
                "\(path) has no keys, so all requests of this caller are refused. Create a key with: tokenctl apikey new"
        }
        guard case .jwt(let issuer) = method else { return nil }
        if let path = issuer.authorities {
            let pem = try TrustedFile(path).read()
            guard let certificates = try? NIOSSLCertificate.fromPEMBytes(pem), !certificates.isEmpty else {
                throw ConfigurationError(
                    "\(path) has no PEM certificate, which begins with -----BEGIN CERTIFICATE-----."
                )
            }
        }
        guard case .file(let path) = issuer.keys else { return nil }
        do {
            let keys = try IssuerKeySet(parsing: try TrustedFile(path).read(), mayBeEmpty: true)
            return keys.isEmpty ? "\(path) has no keys, so all tokens of this issuer are refused." : nil
        } catch let error as JOSEError {
            throw ConfigurationError("\(path): \(error.description)")
        }
    }
}

extension LimitsConfiguration.Redis.TLS {
    /// Reads the files as each connection to Redis does, so that invalid files are found before.
    fileprivate func check() throws {
        let configuration = try TLSConfiguration.redis(self)
        do {
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ConfigurationError("certificate and key do not match.")
        }
    }
}
