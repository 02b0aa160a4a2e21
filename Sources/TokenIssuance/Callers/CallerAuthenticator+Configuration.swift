package import ServiceConfiguration
package import ServiceSupport

extension CallerAuthenticator {
    /// Creates an authenticator for the callers of a configuration.
    ///
    /// Files are read now, URLs on demand.
    ///
    /// - Parameters:
    ///   - callers: The callers. Several may have the same name, and are one caller then.
    ///   - ownAccounts: The email addresses of the service accounts that sign minted tokens.
    ///   - fetching: How issuers' keys are fetched.
    ///   - cache: The cache of keys from URLs; nil for a new one. Keys from files are not cached.
    ///   - clock: The time.
    /// - Throws: ``ConfigurationError`` with all that is wrong.
    package convenience init(
        callers: [CallerConfiguration],
        ownAccounts: [String],
        fetching: KeySetFetching,
        cache: KeySetCache? = nil,
        clock: ServiceClock
    ) throws(ConfigurationError) {
        var issuers: [JWTIssuer] = []
        var keys: [APIKeyAuthenticator.Group] = []
        var certificates: [CertificateAuthenticator.Group] = []
        // Files are read again on each reload, not only when their content is old.
        let files = KeySetCache(fetching)
        let addresses = cache ?? KeySetCache(fetching)
        var problems: [String] = []
        for caller in callers {
            do throws(ConfigurationError) {
                switch caller.method {
                case .jwt(let configuration):
                    try configuration.check(ownAccounts: ownAccounts)
                    let plan = try KeySetPlan(configuration, allowsLoopback: fetching.allowsLoopback)
                    let cache = if case .file = plan.source { files } else { addresses }
                    issuers.append(.init(caller, configuration, keys: IssuerKeys(plan: plan, cache: cache)))
                case .apiKeys(let path):
                    keys.append(.init(caller, records: try APIKeyFile.read(path).records))
                case .certificate(let names):
                    certificates.append(.init(caller, certificateNames: names))
                }
            } catch {
                problems += error.problems.map { "\(caller.name): \($0)" }
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        self.init(
            tokens: JWTAuthenticator(issuers: issuers, ownAccounts: ownAccounts, clock: clock),
            apiKeys: try APIKeyAuthenticator(keys, clock: clock),
            certificates: try CertificateAuthenticator(certificates),
            metrics: fetching.metrics
        )
        fetching.metrics?.add(callers, allowsLoopback: fetching.allowsLoopback)
    }
}

extension JWTIssuer {
    fileprivate init(
        _ caller: CallerConfiguration,
        _ configuration: JWTIssuerConfiguration,
        keys: IssuerKeys
    ) {
        self.init(name: caller.name, isApp: caller.isApp, configuration: configuration, keys: keys)
    }
}

extension APIKeyAuthenticator.Group {
    fileprivate init(_ caller: CallerConfiguration, records: [APIKeyRecord]) {
        self.init(name: caller.name, isApp: caller.isApp, records: records)
    }
}

extension CertificateAuthenticator.Group {
    fileprivate init(_ caller: CallerConfiguration, certificateNames: [String]) {
        self.init(name: caller.name, isApp: caller.isApp, certificateNames: certificateNames)
    }
}
