import FleetToken
import Logging
package import ServiceSupport
package import TokenIssuance
package import TokenMinting

/// A configuration with what its files hold, as far as it can be used, and the problems of the rest.
///
/// A file that cannot be used is a problem, and loading continues, so that the operator sees all problems at once.
package struct LoadedConfiguration: Sendable {
    let configuration: ProductionConfiguration
    package let keys: SigningKeys
    let minter: TokenMinter
    let certificate: LoadedCertificate?
    let authenticator: CallerAuthenticator?
    let webhooks: [String: AuthorizationWebhook]
    let audit: AuditTrail?
    package let credentials: [ExpiringCredential]
    package let problems: [Problem]
    package let warnings: [Problem]

    /// Reads the files of a configuration.
    ///
    /// The audit trail of a service in use is kept. A trial has no side effects.
    init(
        _ configuration: ProductionConfiguration,
        _ shared: SharedResources,
        replacing previous: LoadedService? = nil,
        isTrial: Bool = false
    ) {
        self.configuration = configuration
        var findings = LoadFindings(configuration)
        keys = SigningKeys(of: configuration, shared, replacing: previous)
        findings.report(keys.problems, warnings: keys.warnings)
        let minter = TokenMinter(signers: keys.signers)
        self.minter = minter
        findings.attempt("kinds") { _ = try minter.keys() }
        certificate = findings.attempt("service.tls") {
            try configuration.tls.map { try LoadedCertificate($0, at: shared.clock.now.date) }
        }
        let ownAccounts = keys.accounts
        authenticator = findings.attempt("callers") {
            try CallerAuthenticator(
                callers: configuration.callers,
                ownAccounts: ownAccounts,
                fetching: shared.fetching,
                keySets: shared.keySets,
                clock: shared.clock
            )
        }
        let authorities = findings.authorities(of: configuration.callers)
        webhooks = findings.webhooks(of: configuration, shared)
        audit = findings.attempt("audit") {
            guard isTrial else { return try configuration.auditTrail(shared, replacing: previous) }
            try configuration.inspectAudit()
            return nil
        }
        let names = Set(configuration.callers.map(\.name)).sorted()
        let apiKeys = names.flatMap { [authenticator] name in authenticator?.expiringKeys(of: name) ?? [] }
        credentials = apiKeys + authorities + (certificate.map { [$0.credential] } ?? [])
        findings.report([], warnings: credentials.compactMap { $0.warning(at: shared.clock.now) })
        (problems, warnings) = (findings.problems, findings.warnings)
    }

    /// Reads the files of a configuration as the service does at start, without the network and without side effects.
    package init(checking configuration: ProductionConfiguration, clock: ServiceClock) {
        let shared = SharedResources(
            logger: Logger(label: "tokend", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: clock
        )
        self.init(configuration, shared, isTrial: true)
    }
}

extension LoadFindings {
    /// Reads callers' files, and returns the certificates of their private authorities.
    fileprivate mutating func authorities(of callers: [CallerConfiguration]) -> [ExpiringCredential] {
        var authorities: [ExpiringCredential] = []
        for caller in callers {
            let setting = "callers.\(caller.name)"
            guard let files = attempt(setting, { try CallerFiles(of: caller) }) else { continue }
            report([], warnings: files.warnings.map { $0.within(setting) })
            authorities += files.authorities
        }
        return authorities
    }

    fileprivate mutating func webhooks(
        of configuration: ProductionConfiguration,
        _ shared: SharedResources
    ) -> [String: AuthorizationWebhook] {
        configuration.webhooks.reduce(into: [:]) { webhooks, webhook in
            webhooks[webhook.name] = attempt("webhooks.\(webhook.name)") {
                let secret = try OperatorError.within("secretFile") { try SecretFile.read(webhook.secretFile) }
                return AuthorizationWebhook(
                    webhook,
                    secret: secret,
                    timeout: configuration.connections.webhook,
                    http: shared.http,
                    metrics: shared.metrics.prometheus,
                    clock: shared.clock
                )
            }
        }
    }
}

extension SigningKeys {
    /// Reads the keys of a configuration; none may become another account's in a reload.
    fileprivate init(
        of configuration: ProductionConfiguration,
        _ shared: SharedResources,
        replacing previous: LoadedService?
    ) {
        let (kinds, time) = (configuration.kinds, configuration.connections.signature)
        self.init(kinds) { try $0.signer(google: shared.google, gates: shared.signing, time: time) }
        if let previous { checkAccounts(kinds, since: (previous.configuration.kinds, previous.signers)) }
    }
}
