import ExpiringCache
import FleetToken
import HTTPServer
import JOSE
import Logging
import NIOSSL
package import ServiceConfiguration
import Telemetry
import TokenIssuance
import TokenMinting

/// The components of the service, built from their files.
///
/// Problems are collected, and building continues.
package struct ServiceComponents: Sendable {
    let configuration: ProductionConfiguration
    private(set) var issuance: IssuancePipeline?
    private(set) var tokens: JWTAuthenticator?
    private(set) var rings: [TokenKind: KeyRing] = [:]
    private(set) var minter: TokenMinter
    let gate: SignatureGate
    private(set) var certificate: LoadedCertificate?
    /// The shared limits, which must run together with the listeners.
    var redis: RedisLimits?
    package private(set) var problems: [String] = []
    private var listed: Set<String> = []
    package var warnings: [String] = []

    /// Creates the components.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - path: The path of its file.
    ///   - shared: The resources shared with the previous and later components.
    ///   - previous: The components in use, whose unchanged state is kept: request counts and the audit trail.
    ///   - isTrial: Whether to check only, without side effects.
    package init(
        _ configuration: ProductionConfiguration,
        at path: String,
        _ shared: SharedResources,
        replacing previous: ServiceComponents? = nil,
        isTrial: Bool = false
    ) {
        self.configuration = configuration
        warnings = configuration.warnings
        gate = Self.gate(configuration.limits, shared, replacing: previous)
        minter = TokenMinter(rings: [:])
        report(configuration.trustProblems(path))
        let factory = SignerFactory(
            google: shared.network.google,
            threads: shared.threads,
            answerTime: .seconds(configuration.limits.handle),
            metrics: shared.metrics.issuance,
            logger: shared.logger
        )
        let keys = signingKeys(shared.accounts, factory, at: shared.now(), since: previous)
        rings = keys.rings
        let minter = callersMinter(shared.logger)
        self.minter = minter
        _ = attempt("kinds") { try minter.keys() }
        certificate =
            attempt("service.tls") {
                try configuration.tls.map {
                    try LoadedCertificate($0, http2: configuration.http2, at: shared.now())
                }
            } ?? nil
        let authenticator = attempt("callers") {
            try CallerAuthenticator(
                callers: configuration.callers,
                ownAccounts: keys.accounts,
                fetching: shared.fetching,
                cache: shared.keySets,
                now: shared.now
            )
        }
        tokens = authenticator?.tokens
        for caller in configuration.callers {
            _ = attempt("callers.\(caller.name)") { try Self.checkKeys(of: caller) }
        }
        let webhooks = attempt("webhooks") {
            try Self.webhooks(
                configuration.webhooks,
                shared.network.webhooks,
                shared.metrics.issuance.webhooks,
                shared.clock,
                shared.now
            )
        }
        let audit = attempt("audit") {
            try isTrial
                ? Self.inspect(configuration.audit)
                : Self.audit(configuration.audit, configuration.limits, shared, replacing: previous)
        }
        let limits = limits(shared, replacing: previous)
        guard let authenticator, let webhooks, let limits, let audit = audit ?? nil else { return }
        issuance = IssuancePipeline(
            authenticator: authenticator,
            limits: limits,
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

    /// The public keys' JSON, as far as they are known now.
    var publicKeys: [UInt8] { ((try? minter.keys()) ?? JWKSet()).encoded() }

    private mutating func signingKeys(
        _ accounts: AccountReader,
        _ factory: SignerFactory,
        at now: NumericDate,
        since previous: ServiceComponents?
    ) -> SigningKeys {
        let kinds = configuration.kinds
        var keys = SigningKeys(kinds, at: now) { try factory.signer(for: try accounts.read($0)) }
        if let previous { keys.checkAccounts(kinds, since: (previous.configuration.kinds, previous.rings)) }
        report(keys.problems)
        warnings += keys.warnings
        return keys
    }

    /// Returns the minter for callers, who must not see a signer's problems; the self-test bypasses it.
    ///
    /// Keys in this process share its processors, and so one limit.
    private func callersMinter(_ logger: Logger) -> TokenMinter {
        var rings = rings
        for (kind, ring) in rings {
            rings[kind] = ring.map { signer in
                let bounded: any TokenSigner = signer.isRemote ? signer : GatedSigner(signer: signer, gate: gate)
                return ReportingSigner(signer: bounded, logger: logger)
            }
        }
        return TokenMinter(rings: rings)
    }

    private static func gate(
        _ limits: LimitsConfiguration,
        _ shared: SharedResources,
        replacing previous: ServiceComponents?
    ) -> SignatureGate {
        guard let previous, previous.configuration.limits.signatures == limits.signatures else {
            return SignatureGate(
                maximum: limits.signatures,
                lastingMaximum: 24 * shared.threads.count,
                parallel: shared.threads.count,
                clock: shared.monotonic
            )
        }
        return previous.gate
    }

    /// Reads an issuer's keys and authorities from their files, so that an invalid file is found before the first request.
    private static func checkKeys(of caller: CallerConfiguration) throws {
        guard case .jwt(let issuer) = caller.method else { return }
        if let path = issuer.authorities {
            let pem = try KeyFile.read(path)
            guard let certificates = try? NIOSSLCertificate.fromPEMBytes(pem), !certificates.isEmpty else {
                throw ConfigurationError(
                    "\(path) has no PEM certificate, which begins with -----BEGIN CERTIFICATE-----."
                )
            }
        }
        guard case .file(let path) = issuer.keys else { return }
        do {
            _ = try IssuerKeySet(parsing: try KeyFile.read(path))
        } catch let error as JOSEError {
            throw ConfigurationError("\(path): \(error.description)")
        }
    }

    private static func webhooks(
        _ configurations: [WebhookConfiguration],
        _ transport: any WebhookTransport,
        _ metrics: WebhookMetrics,
        _ clock: CacheClock,
        _ now: @escaping @Sendable () -> NumericDate
    ) throws -> [String: any ScopeWebhook] {
        try configurations.reduce(into: [:]) { webhooks, configuration in
            let secret = try SecretFile.read(configuration.secretFile)
            webhooks[configuration.name] = try AuthorizationWebhook(
                configuration,
                secret: secret,
                transport: transport,
                metrics: metrics,
                clock: clock,
                now: now
            )
        }
    }

    /// Lists problems that are not listed yet.
    private mutating func report(_ found: [String]) {
        problems += found.filter { listed.insert($0).inserted }
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
