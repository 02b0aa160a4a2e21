import FleetToken
import JOSE
import Logging
import ServiceSupport
import TokenIssuance
import TokenMinting

/// The service of one load: complete, tested, and put in use as a whole.
final class LoadedService: Sendable {
    /// What the configuration and its files hold.
    let source: LoadedConfiguration
    let authenticator: CallerAuthenticator
    let audit: AuditTrail
    let issuer: TokenIssuer
    let signingTest: SigningTest
    let readiness: Readiness
    let responder: TokenResponder

    /// Creates the service of what was loaded, with the counters of the one in use; nil if a part of it is missing.
    init?(
        _ source: LoadedConfiguration,
        _ signingTest: SigningTest,
        _ shared: SharedResources,
        replacing previous: LoadedService? = nil
    ) {
        guard let authenticator = source.authenticator, let audit = source.audit else { return nil }
        self.source = source
        self.authenticator = authenticator
        self.audit = audit
        self.signingTest = signingTest
        readiness = Readiness(keys: signingTest, authenticator: authenticator, audit: audit, shared)
        let configuration = source.configuration
        shared.metrics.requests.add(configuration.callers.map(\.name), of: Array(configuration.kinds.keys))
        issuer = TokenIssuer(
            authenticate: authenticator.caller,
            limits: CallerLimits(configuration, shared, replacing: previous),
            authorizer: GrantAuthorizer(grants: configuration.grants, webhooks: source.webhooks),
            minter: ReusingMinter(source.minter, clock: shared.clock, replacing: previous?.issuer.minter),
            audit: audit,
            clock: shared.clock
        )
        var recorder = shared.recorder
        if !configuration.origins.isEmpty { recorder.cors = CORSPolicy(origins: configuration.origins) }
        responder = TokenResponder(issuer: issuer, recorder: recorder, readiness: readiness)
    }

    var configuration: ProductionConfiguration { source.configuration }

    var signers: [TokenKind: any TokenSigner] { source.keys.signers }

    /// The public keys' JSON, as far as they are known now.
    var publicKeys: [UInt8] { ((try? source.minter.keys()) ?? JWKSet()).encoded() }

    /// Loads a configuration: reads its files, lets each key sign once, and creates the service.
    static func load(
        _ configuration: ProductionConfiguration,
        _ shared: SharedResources,
        replacing previous: LoadedService? = nil
    ) async throws(OperatorError) -> LoadedService {
        let loaded = LoadedConfiguration(configuration, shared, replacing: previous)
        let test = SigningTest(of: loaded.keys.signers)
        let (failures, outages) = await test.run(at: shared.clock.now)
        let problems = loaded.problems + failures.map(configuration.locations.located)
        guard problems.isEmpty, let service = LoadedService(loaded, test, shared, replacing: previous) else {
            throw OperatorError(problems: problems)
        }
        for outage in outages {
            shared.logger.error("A key failed the signing test.", metadata: ["problem": "\(outage)"])
        }
        return service
    }

    /// Revokes the credentials that an operator removed, for a reload that fails for another reason.
    ///
    /// - Returns: What is refused from now on and was not before, a sentence each.
    func withdraw() -> [String] { authenticator.withdraw(from: configuration.callers) }
}
