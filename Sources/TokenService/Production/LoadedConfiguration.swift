import FleetToken
import HTTPServer
import Logging
import NIOSSL
package import ServiceConfiguration
package import ServiceSupport
import TokenIssuance
import TokenMinting

/// A configuration with what its files hold, as far as it can be used, and the problems of the rest.
///
/// A file that cannot be used is a problem, and loading continues, so that the operator sees all problems at once.
package struct LoadedConfiguration: Sendable {
    let configuration: ProductionConfiguration
    package let keys: SigningKeys
    let minter: TokenMinter
    let certificate: LoadedCertificate?
    let authenticator: CallerAuthenticator?
    let webhooks: [String: AuthorizationWebhook.Decision]
    let audit: AuditTrail?
    let redisPassword: Secret?
    let credentials: [ExpiringCredential]
    package let problems: [String]
    package let warnings: [String]

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
        var findings = LoadFindings(configuration.trustProblems(path), warnings: configuration.warnings)
        keys = findings.keys(of: configuration, shared, replacing: previous)
        let minter = TokenMinter(rings: keys.rings)
        self.minter = minter
        findings.attempt("kinds") { _ = try minter.keys() }
        certificate = findings.attempt("service.tls") {
            try configuration.tls.map {
                try LoadedCertificate($0, at: shared.clock.now.date)
            }
        }
        let ownAccounts = keys.accounts
        authenticator = findings.attempt("callers") {
            try CallerAuthenticator(
                callers: configuration.callers,
                ownAccounts: ownAccounts,
                fetching: shared.fetching,
                cache: shared.keySets,
                metrics: shared.callers,
                clock: shared.clock
            )
        }
        findings.checkFiles(of: configuration.callers)
        webhooks = findings.attempt("webhooks") { try configuration.webhooks(shared) } ?? [:]
        audit = findings.attempt("audit") {
            try isTrial ? configuration.inspectAudit() : configuration.auditTrail(shared, replacing: previous)
        }
        redisPassword = findings.password(of: configuration.limits.redis)
        credentials = configuration.expiringCredentials(authenticator)
        findings.warnings += credentials.compactMap { $0.warning(at: shared.clock.now) }
        (problems, warnings) = (findings.problems, findings.warnings)
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
}

extension ProductionConfiguration {
    fileprivate func webhooks(_ shared: SharedResources) throws -> [String: AuthorizationWebhook.Decision] {
        let admission = AdmissionLimits(limits)
        return try webhooks.reduce(into: [:]) { result, webhook in
            result[webhook.name] = try AuthorizationWebhook(
                webhook,
                limits: admission.leaving(.milliseconds(webhook.timeout), of: .seconds(limits.handle)),
                secret: try SecretFile.read(webhook.secretFile),
                http: shared.network.webhooks,
                metrics: shared.metrics.issuance.webhooks,
                clock: shared.clock
            ).result
        }
    }
}
