import ExpiringCache
import FleetToken
import HTTPServer
import JOSE
import Logging
import NIOSSL
import ServiceConfiguration
import ServiceSupport
import Telemetry
import TokenIssuance
import TokenMinting

/// Builds the components of the service from a configuration and its files.
///
/// A component that cannot be built is a problem, and building continues, so that the operator sees all problems at once.
struct ServiceComponentsBuilder {
    let configuration: ProductionConfiguration
    let shared: SharedResources
    /// The components in use, whose unchanged state is kept: request counts and the audit trail.
    let previous: ServiceComponents?
    /// The shared limits, which must run together with the listeners.
    var redis: RedisLimits?
    var warnings: [String]
    private var problems: [String] = []
    private var listed: Set<String> = []
    /// Why files are not trusted; reading one gives the same reason again.
    private var distrust: [String] = []

    /// Creates a builder.
    init(_ configuration: ProductionConfiguration, _ shared: SharedResources, replacing previous: ServiceComponents?) {
        self.configuration = configuration
        self.shared = shared
        self.previous = previous
        warnings = configuration.warnings
    }

    /// Builds the components.
    ///
    /// - Parameters:
    ///   - path: The path of the configuration file.
    ///   - isTrial: Whether to check only, without side effects.
    /// - Returns: The components, with the problems of those that cannot be built.
    mutating func build(at path: String, isTrial: Bool) -> ServiceComponents {
        let untrusted = configuration.trustProblems(path)
        report(untrusted.map { "\($0.name): \($0.problem)" })
        distrust = untrusted.map(\.problem)
        let keys = signingKeys()
        // Callers must not see a signer's problems; the self-test does.
        let minter = TokenMinter(rings: SignerFactory.reporting(keys.rings, to: shared.logger))
        _ = attempt("kinds") { try minter.keys() }
        let certificate = certificate()
        let authenticator = authenticator(ownAccounts: keys.accounts)
        let webhooks = webhooks()
        let files = self
        let audit = attempt("audit") { try isTrial ? files.inspectAudit() : files.audit() } ?? nil
        let limits = limits()
        let credentials = credentials(authenticator)
        let now = shared.now()
        warnings += credentials.compactMap { $0.warning(at: now) }
        var issuance: IssuancePipeline?
        if let authenticator, let webhooks, let limits, let audit {
            issuance = pipeline(authenticator, limits: limits, webhooks: webhooks, minter: minter, audit: audit)
        }
        return ServiceComponents(
            configuration: configuration,
            issuance: issuance,
            authenticator: authenticator,
            rings: keys.rings,
            minter: minter,
            certificate: certificate,
            redis: redis,
            problems: problems,
            warnings: warnings,
            credentials: credentials
        )
    }

    /// Lists problems that are not listed yet.
    private mutating func report(_ found: [String]) {
        problems += found.filter { problem in
            !distrust.contains { problem.hasSuffix($0) } && listed.insert(problem).inserted
        }
    }

    /// Creates a component, or records why it cannot be created.
    mutating func attempt<Part>(_ path: String, _ make: () throws -> Part) -> Part? {
        do {
            return try make()
        } catch let error as ConfigurationError {
            report(error.problems.map { "\(path): \($0)" })
        } catch {
            report(["\(path): \(OperatorMessage(error))"])
        }
        return nil
    }
}

// MARK: - The components

extension ServiceComponentsBuilder {
    private mutating func signingKeys() -> SigningKeys {
        let factory = SignerFactory(
            google: shared.network.google,
            threads: shared.threads,
            limits: AdmissionLimits(configuration.limits),
            clock: shared.monotonic,
            answerTime: .seconds(configuration.limits.handle),
            metrics: shared.metrics.issuance,
            logger: shared.logger
        )
        let (kinds, accounts) = (configuration.kinds, shared.accounts)
        var keys = SigningKeys(kinds, at: shared.now()) { try factory.signer(for: try accounts.read($0)) }
        if let previous { keys.checkAccounts(kinds, since: (previous.configuration.kinds, previous.rings)) }
        report(keys.problems)
        warnings += keys.warnings
        checkBatches()
        return keys
    }

    /// Reports signatures that are not made several at once although the configuration says so.
    ///
    /// In service, a replica that stopped it goes on with libcrypto, and so do its reloads.
    private mutating func checkBatches() {
        let status = shared.threads.batches.status
        guard !status.isInUse, previous == nil else { return }
        if configuration.signing.batch == .required {
            report(["signing.batch: is required, but \(status.text)"])
        } else if configuration.signing.batch == .auto, configuration.signing.library != nil {
            warnings.append("signing.library: \(status.text)")
        }
    }

    private mutating func certificate() -> LoadedCertificate? {
        let (configuration, now) = (configuration, shared.now())
        return attempt("service.tls") {
            try configuration.tls.map { try LoadedCertificate($0, http2: configuration.http2, at: now.date) }
        } ?? nil
    }

    private mutating func authenticator(ownAccounts: [String]) -> CallerAuthenticator? {
        let (configuration, shared) = (configuration, shared)
        let authenticator = attempt("callers") {
            try CallerAuthenticator(
                callers: configuration.callers,
                ownAccounts: ownAccounts,
                fetching: shared.fetching,
                cache: shared.keySets,
                now: shared.now
            )
        }
        for caller in configuration.callers {
            let warning = attempt("callers.\(caller.name)") { try Self.checkKeys(of: caller) } ?? nil
            if let warning { warnings.append("callers.\(caller.name): \(warning)") }
        }
        return authenticator
    }

    /// Reads a caller's keys and authorities from their files, so that an invalid file is found before the first request.
    ///
    /// - Returns: A warning if a file has no keys.
    private static func checkKeys(of caller: CallerConfiguration) throws -> String? {
        if case .apiKeys(let path) = caller.method, KeyFile.isPresent(path), APIKeyFile.ids(in: path) == [] {
            return
                "\(path) has no keys, so all requests of this caller are refused. Create a key with: tokenctl apikey new"
        }
        guard case .jwt(let issuer) = caller.method else { return nil }
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

    private mutating func webhooks() -> [String: any ScopeWebhook]? {
        let (configurations, shared) = (configuration.webhooks, shared)
        let (limits, answerTime) = (
            AdmissionLimits(configuration.limits), Duration.seconds(configuration.limits.handle)
        )
        return attempt("webhooks") {
            try configurations.reduce(into: [:]) { webhooks, configuration in
                webhooks[configuration.name] = try AuthorizationWebhook(
                    configuration,
                    limits: limits.leaving(.milliseconds(configuration.timeout), of: answerTime),
                    secret: try SecretFile.read(configuration.secretFile),
                    transport: shared.network.webhooks,
                    metrics: shared.metrics.issuance.webhooks,
                    clock: shared.clock,
                    now: shared.now
                )
            }
        }
    }

    private func pipeline(
        _ authenticator: CallerAuthenticator,
        limits: CallerLimits,
        webhooks: [String: any ScopeWebhook],
        minter: TokenMinter,
        audit: AuditTrail
    ) -> IssuancePipeline {
        IssuancePipeline(
            authenticator: authenticator,
            limits: limits,
            alphabet: configuration.alphabet,
            authorizer: GrantAuthorizer(
                grants: configuration.grants,
                privilegedKinds: configuration.privilegedKinds,
                alphabet: configuration.alphabet,
                webhooks: webhooks,
                logger: shared.logger
            ),
            minter: ReusingMinter(minter, seconds: configuration.reuse, clock: shared.clock),
            audit: audit,
            metrics: shared.metrics.issuance,
            now: shared.now,
            logger: shared.logger
        )
    }
}
