import Crypto
import FleetToken
import JOSE
import Logging
import NIOSSL
import TokenMinting

/// The parts of the service, each made of its files; what cannot be made is listed, and the making goes on.
struct ProductionParts {
    let registry = PrometheusRegistry()
    let metrics: ServiceMetrics
    private(set) var issuance: TokenIssuance?
    private(set) var tls: TLSConfiguration?
    private(set) var publicKeys: [UInt8] = []
    /// What keeps the limits for all replicas, and has to run beside the listeners.
    var redis: RedisRateStore?
    private(set) var problems: [String] = []
    var warnings: [String] = []

    /// Makes the parts.
    ///
    /// - Parameters:
    ///   - configuration: What the operator decided.
    ///   - network: How other services are reached.
    ///   - isTrial: Whether only to look, and to leave no trace.
    ///   - logger: Gets what the parts have to say.
    ///   - now: The wall clock.
    init(
        _ configuration: ServiceConfiguration,
        network: ProductionNetwork,
        isTrial: Bool = false,
        logger: Logger,
        now: @escaping @Sendable () -> NumericDate
    ) {
        let registry = registry
        let metrics = ServiceMetrics(registry: registry, version: TokenService.version)
        self.metrics = metrics
        let accounts = SigningAccounts(configuration.kinds)
        problems += accounts.problems
        warnings += accounts.warnings
        let minter = minter(accounts)
        let audit = attempt("audit") {
            try isTrial ? Self.inspect(configuration.audit) : Self.audit(configuration.audit, metrics)
        }
        tls = attempt("service.tls") { try configuration.tls.map(TLSConfiguration.server) } ?? nil
        let authenticator = attempt("callers") {
            try CallerAuthenticator(
                callers: configuration.callers,
                ownAccounts: accounts.byKind.values.map(\.email),
                fetching: KeySetFetching(
                    transfer: network.keySets,
                    metrics: CallerMetrics(registry: registry, now: now),
                    logger: logger
                ),
                now: now
            )
        }
        for caller in configuration.callers {
            _ = attempt("callers.\(caller.name)") { try Self.checkKeys(of: caller) }
        }
        let webhooks = attempt("webhooks") {
            try Self.webhooks(configuration.webhooks, network.webhooks, metrics.webhooks, now)
        }
        let limits = limits(configuration.limits, logger)
        guard let authenticator, let webhooks, let limits, let audit = audit ?? nil else { return }
        issuance = TokenIssuance(
            authenticator: authenticator,
            limits: limits,
            authorizer: GrantAuthorizer(
                grants: configuration.grants,
                privilegedKinds: configuration.privilegedKinds,
                alphabet: configuration.alphabet,
                webhooks: webhooks,
                logger: logger
            ),
            minter: minter,
            gate: SignatureGate(maximum: configuration.limits.signatures),
            audit: audit,
            metrics: metrics,
            now: now,
            logger: logger
        )
    }

    private mutating func minter(_ accounts: SigningAccounts) -> TokenMinter {
        let metrics = metrics
        let minter = TokenMinter(
            signers: accounts.byKind.mapValues {
                MeasuredSigner(signer: LocalSigner($0), label: .local, metrics: metrics)
            }
        )
        publicKeys = attempt("kinds") { try minter.keys().encoded() } ?? []
        return minter
    }

    /// Reads an issuer's keys from their file, so that a wrong one is found before anybody asks.
    private static func checkKeys(of caller: CallerConfiguration) throws {
        guard case .jwt(let issuer) = caller.method, case .file(let path) = issuer.keys else { return }
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
        _ now: @escaping @Sendable () -> NumericDate
    ) throws -> [String: any ScopeWebhook] {
        try configurations.reduce(into: [:]) { webhooks, configuration in
            let secret = try SecretFile.read(configuration.secretFile)
            webhooks[configuration.name] = try AuthorizationWebhook(
                configuration,
                secret: secret,
                transport: transport,
                metrics: metrics,
                now: now
            )
        }
    }

    /// Checks that the trail could be kept, and keeps none.
    private static func inspect(_ configuration: AuditConfiguration) throws -> AuditTrail? {
        if case .file(let path) = configuration.sink { try AuditFile.inspect(path: path) }
        if case .hmac(let keyFile) = configuration.ids { _ = try SecretFile.read(keyFile) }
        return nil
    }

    private static func audit(_ configuration: AuditConfiguration, _ metrics: ServiceMetrics) throws -> AuditTrail? {
        let sink: any AuditSink =
            switch configuration.sink {
            case .standardOutput:
                MeasuredAuditSink(AuditStandardOutput(), label: .standardOutput, metrics: metrics)
            case .file(let path): MeasuredAuditSink(try AuditFile(path: path), label: .file, metrics: metrics)
            }
        switch configuration.ids {
        case .plain: return try AuditTrail(sink: sink, ids: .plain)
        case .hmac(let keyFile):
            return try AuditTrail(sink: sink, ids: .keyed(SymmetricKey(data: try SecretFile.read(keyFile).reveal())))
        }
    }

    /// Makes a part, or lists why it cannot be made.
    mutating func attempt<Part>(_ path: String, _ make: () throws -> Part) -> Part? {
        do {
            return try make()
        } catch let error as ConfigurationError {
            problems += error.problems.map { "\(path): \($0)" }
        } catch {
            problems.append("\(path): \(OperatorMessage(error))")
        }
        return nil
    }
}
