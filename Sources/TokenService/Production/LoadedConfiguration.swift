import FleetToken
import Logging
import NIOSSL
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
    /// Whether the listener's certificate has an RSA key.
    package let hasRSACertificate: Bool
    package let problems: [Problem]
    package let warnings: [Problem]

    /// Reads the files of a configuration.
    ///
    /// The audit trail of a service in use is kept. A trial has no side effects.
    init(
        _ configuration: ProductionConfiguration,
        at path: String,
        _ shared: SharedResources,
        replacing previous: LoadedService? = nil,
        isTrial: Bool = false
    ) {
        self.configuration = configuration
        var findings = LoadFindings(configuration, at: path)
        keys = findings.keys(of: configuration, shared, replacing: previous)
        let minter = TokenMinter(signers: keys.signers)
        self.minter = minter
        findings.attempt("kinds") { _ = try minter.keys() }
        certificate = findings.attempt("service.tls") {
            try configuration.tls.map { try LoadedCertificate($0, at: shared.clock.now.date) }
        }
        hasRSACertificate = findings.checkCertificate(certificate == nil ? nil : configuration.tls)
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
        findings.checkFiles(of: configuration.callers)
        webhooks = findings.webhooks(of: configuration, shared)
        audit = findings.attempt("audit") {
            try isTrial ? configuration.inspectAudit() : configuration.auditTrail(shared, replacing: previous)
        }
        credentials = configuration.expiringCredentials(authenticator)
        // A certificate that cannot be used is a problem already.
        let others = certificate == nil ? credentials.filter { $0.kind != .certificate } : credentials
        findings.warn(others.compactMap { $0.warning(at: shared.clock.now) })
        (problems, warnings) = (findings.problems, findings.warnings)
    }

    /// Reads the files of a configuration as the service does at start, without the network and without side effects.
    package init(
        checking configuration: ProductionConfiguration,
        at path: String,
        clock: ServiceClock
    ) {
        let shared = SharedResources(
            logger: Logger(label: "tokend", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: clock
        )
        self.init(configuration, at: path, shared, isTrial: true)
    }
}

extension ProductionConfiguration {
    /// Checks that the trail can be written, without writing to it.
    func inspectAudit() throws -> AuditTrail? {
        if let path = audit.file {
            try ConfigurationError.within("file") { try AuditFile.inspect(path: path) }
        }
        return nil
    }

    /// Returns the trail: the one in use, which the service keeps until shutdown, or a new one.
    func auditTrail(_ shared: SharedResources, replacing previous: LoadedService?) throws -> AuditTrail {
        if let trail = previous?.audit { return trail }
        let file = try ConfigurationError.within("file") { try audit.file.map { try AuditFile(path: $0) } }
        let sink: any AuditSink = if let file { file } else { AuditStandardOutput() }
        return AuditTrail(
            sink: sink,
            // Shorter than the time for the whole request, so that the caller gets a response.
            timeout: min(AuditTrail.timeout, connections.handle * 3 / 4),
            clock: shared.clock,
            metrics: AuditMetrics(sink: file == nil ? .standardOutput : .file, factory: shared.metrics.prometheus)
        )
    }
}
