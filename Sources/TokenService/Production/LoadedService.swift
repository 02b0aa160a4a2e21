import FleetToken
import HTTPServer
import JOSE
package import Logging
import ServiceConfiguration
import ServiceSupport
package import TokenIssuance
import TokenMinting

/// The service of one load: complete, tested, and put in use as a whole.
final class LoadedService: Sendable {
    let configuration: ProductionConfiguration
    let issuance: IssuancePipeline
    let responder: TokenResponder
    let authenticator: CallerAuthenticator
    let audit: AuditTrail
    let rings: [TokenKind: KeyRing]
    let certificate: LoadedCertificate?
    /// The shared limits, which must run together with the listeners.
    let redis: RedisRateStore?
    let credentials: [ExpiringCredential]
    let warnings: [Problem]
    /// The kinds whose keys are elsewhere, and could not be tried out.
    let unreachable: [String]
    private let minter: TokenMinter

    /// Creates the service of what was loaded; nil if a part of it is missing.
    ///
    /// - Parameters:
    ///   - loaded: The configuration with what its files hold.
    ///   - shared: The resources that outlive the service.
    ///   - unreachable: The kinds whose keys are elsewhere, and could not be tried out.
    ///   - previous: The service in use, whose counters are kept.
    init?(
        _ loaded: LoadedConfiguration,
        _ shared: SharedResources,
        unreachable: [String] = [],
        replacing previous: LoadedService? = nil
    ) {
        guard let authenticator = loaded.authenticator, let audit = loaded.audit else { return nil }
        configuration = loaded.configuration
        self.authenticator = authenticator
        self.audit = audit
        self.unreachable = unreachable
        rings = loaded.keys.rings
        minter = loaded.minter
        certificate = loaded.certificate
        credentials = loaded.credentials
        warnings = loaded.warnings
        redis =
            if let previous { previous.redis } else {
                loaded.configuration.limits.redis.map { settings in
                    RedisRateStore(
                        settings,
                        password: loaded.redisPassword,
                        registry: shared.registry,
                        clock: shared.clock,
                        logger: shared.logger
                    )
                }
            }
        shared.metrics.issuance.limits.add(configuration.callers.map(\.name))
        issuance = IssuancePipeline(
            authenticator: authenticator,
            limits: CallerLimits(configuration, shared, redis: redis, replacing: previous),
            rules: RequestRules(configuration),
            authorizer: GrantAuthorizer(configuration, webhooks: loaded.webhooks, logger: shared.logger),
            minter: ReusingMinter(minter, seconds: configuration.reuse, clock: shared.clock),
            audit: audit,
            metrics: shared.metrics.issuance,
            clock: shared.clock,
            logger: shared.logger
        )
        responder = TokenResponder(of: configuration, issuance: issuance, shared)
    }

    /// The public keys' JSON, as far as they are known now.
    var publicKeys: [UInt8] { ((try? minter.keys()) ?? JWKSet()).encoded() }

    /// Loads a configuration: reads its files, lets each key sign once, and creates the service.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - path: The path of its file.
    ///   - shared: The resources that outlive the service.
    ///   - previous: The service in use.
    /// - Returns: The service.
    /// - Throws: ``ConfigurationError`` with all problems.
    static func load(
        _ configuration: ProductionConfiguration,
        at path: String,
        _ shared: SharedResources,
        replacing previous: LoadedService? = nil
    ) async throws(ConfigurationError) -> LoadedService {
        await shared.tokens.open(configuration.kinds.values.flatMap(\.accounts))
        let loaded = LoadedConfiguration(configuration, at: path, shared, replacing: previous)
        let test = await SigningTest(of: loaded.keys.rings, at: shared.clock.now)
        let problems = loaded.problems + test.problems.map(configuration.locations.located)
        guard problems.isEmpty,
            let service = LoadedService(loaded, shared, unreachable: test.unreachable, replacing: previous)
        else { throw ConfigurationError(problems: problems) }
        return service
    }

    /// Revokes the credentials that an operator removed, for a reload that fails for another reason.
    ///
    /// - Returns: What is refused from now on and was not before, a sentence each.
    func withdraw(from certificate: ServerCertificate?, at now: NumericDate) -> [String] {
        let tls = configuration.tls
        // The files may be another valid pair: only authorities may go, because nothing else is checked together with it.
        if let tls, let authorities = self.certificate?.clientAuthorities,
            let new = try? LoadedCertificate(tls, at: now.date),
            new.clientAuthorities.isStrictSubset(of: authorities)
        {
            certificate?.use(new)
        }
        return authenticator.withdraw(from: configuration.callers, clientAuthorities: tls?.clientAuthorities)
    }
}

extension TokenResponder {
    /// Creates the responder of a configuration.
    fileprivate convenience init(
        of configuration: ProductionConfiguration,
        issuance: IssuancePipeline,
        _ shared: SharedResources
    ) {
        var recorder = ResponseRecorder(clock: shared.clock, metrics: shared.metrics, logger: shared.logger)
        recorder.cors = CORSPolicy(origins: .list(configuration.origins))
        recorder.aliases = configuration.aliases
        recorder.logsClients = configuration.logsClients
        self.init(
            hosts: .any,
            addresses: ClientAddress(trustedProxies: configuration.trustedProxies),
            acceptsCertificates: configuration.tls?.clientAuthorities != nil,
            issuance: issuance,
            recorder: recorder
        )
    }
}

extension RequestRules {
    /// Creates the rules of a configuration.
    package init(_ configuration: ProductionConfiguration) {
        self.init(alphabet: configuration.alphabet)
    }
}

extension GrantAuthorizer {
    /// Creates the authorizer of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - webhooks: The webhooks that grants use, by name; none to decide without them.
    ///   - logger: Logs why requests are denied, and failing webhooks.
    package convenience init(
        _ configuration: ProductionConfiguration,
        webhooks: [String: AuthorizationWebhook.Decision] = [:],
        logger: Logger = Logger(label: "tokend", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.init(
            grants: configuration.grants,
            privilegedKinds: Set(configuration.kinds.filter(\.value.isPrivileged).keys),
            alphabet: configuration.alphabet,
            webhooks: webhooks,
            logger: logger
        )
    }
}
