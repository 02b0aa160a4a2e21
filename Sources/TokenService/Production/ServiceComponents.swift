import FleetToken
import HTTPServer
import JOSE
package import ServiceConfiguration
import ServiceSupport
import TokenIssuance
import TokenMinting

/// The components of the service, as far as they could be built, and the problems of the others.
package struct ServiceComponents: Sendable {
    let configuration: ProductionConfiguration
    let issuance: IssuancePipeline?
    let authenticator: CallerAuthenticator?
    let rings: [TokenKind: KeyRing]
    let minter: TokenMinter
    let certificate: LoadedCertificate?
    /// The shared limits, which must run together with the listeners.
    let redis: RedisLimits?
    package let problems: [String]
    package let warnings: [String]
    /// The credentials that expire.
    let credentials: [ExpiringCredential]

    /// Authenticates callers by JWT.
    var tokens: JWTAuthenticator? { authenticator?.tokens }

    /// The public keys' JSON, as far as they are known now.
    var publicKeys: [UInt8] { ((try? minter.keys()) ?? JWKSet()).encoded() }
}

extension ServiceComponents {
    /// Refuses the credentials that an operator took away, for a reload that is refused for another reason.
    ///
    /// - Returns: What is refused from now on and was not before, a sentence each.
    func withdraw(from certificate: ServerCertificate?, at now: NumericDate) -> [String] {
        let tls = configuration.tls
        // The files may be another valid pair: only authorities may go, because nothing else is checked together with it.
        if let tls, let authorities = self.certificate?.clientAuthorities,
            let new = try? LoadedCertificate(tls, http2: configuration.http2, at: now.date),
            new.clientAuthorities.isStrictSubset(of: authorities)
        {
            certificate?.use(new)
        }
        return authenticator?.withdraw(from: configuration.callers, clientAuthorities: tls?.clientAuthorities) ?? []
    }

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
        var builder = ServiceComponentsBuilder(configuration, shared, replacing: previous)
        self = builder.build(at: path, isTrial: isTrial)
    }
}
