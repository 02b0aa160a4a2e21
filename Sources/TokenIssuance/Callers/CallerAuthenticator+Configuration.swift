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
    ///   - metrics: Metrics of authentication; nil for none.
    ///   - clock: The time.
    /// - Throws: ``ConfigurationError`` with all that is wrong.
    package convenience init(
        callers: [CallerConfiguration],
        ownAccounts: [String],
        fetching: KeySetFetching,
        cache: KeySetCache? = nil,
        metrics: CallerMetrics? = nil,
        clock: ServiceClock
    ) throws(ConfigurationError) {
        var issuers: [JWTIssuer] = []
        var keys: [(caller: String, records: [APIKeyRecord])] = []
        var certificates: [(caller: String, names: [String])] = []
        // Files are read again on each reload, not only when their content is old.
        let files = KeySetCache(fetching)
        let addresses = cache ?? KeySetCache(fetching)
        var problems: [Problem] = []
        for caller in callers {
            do throws(ConfigurationError) {
                switch caller.method {
                case .jwt(let configuration):
                    try configuration.check(ownAccounts: ownAccounts)
                    let plan = try KeySetPlan(configuration)
                    let cache = if case .file = plan.source { files } else { addresses }
                    let keys = IssuerKeys(plan: plan, cache: cache)
                    issuers.append(
                        .init(name: caller.name, isApp: caller.isApp, configuration: configuration, keys: keys)
                    )
                case .apiKeys(let path):
                    let records = try ConfigurationError.within("apiKeys.file") { try APIKeyFile.read(path).records }
                    keys.append((caller.name, records))
                case .certificate(let names):
                    certificates.append((caller.name, names))
                }
            } catch {
                problems += error.problems.map { $0.within(caller.name) }
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        self.init(
            tokens: JWTAuthenticator(issuers: issuers, ownAccounts: ownAccounts, clock: clock),
            apiKeys: try APIKeyAuthenticator(keys, clock: clock),
            certificates: try CertificateAuthenticator(certificates),
            metrics: metrics
        )
        metrics?.add(callers)
    }
}

extension CallerAuthenticator {
    /// Revokes the credentials that an operator removed, for a reload that fails for another reason.
    ///
    /// A reload takes effect as a whole, so that a mistake leaves the last good configuration. To take a credential away is no
    /// mistake: an API key that its file does not have any more, the keys of an issuer whose file has others or is gone, and all
    /// client certificates if their authorities' file is gone or empty.
    ///
    /// - Parameters:
    ///   - callers: The callers of the running service.
    ///   - clientAuthorities: The file with the authorities for client certificates; nil if there is none.
    /// - Returns: What is refused from now on and was not before, a sentence each.
    package func withdraw(from callers: [CallerConfiguration], clientAuthorities: String?) -> [String] {
        var changes: [String] = []
        for caller in callers {
            guard case .apiKeys(let path) = caller.method, let ids = APIKeyFile.ids(in: path) else { continue }
            let withdrawn = apiKeys.withdraw(allBut: ids, of: caller.name)
            changes += withdrawn.map { "callers.\(caller.name): the API key \($0) is not in \(path) and is revoked." }
        }
        changes += tokens.withdraw().map {
            "callers.\($0): the file with the issuer's keys is gone, so its keys are not used."
        }
        if let path = clientAuthorities, Self.hasNoContent(path), certificates.withdraw() {
            changes.append(
                "service.tls.clientAuthorities: \(path) is gone or empty, so no client certificate is accepted."
            )
        }
        return changes
    }

    private static func hasNoContent(_ path: String) -> Bool {
        KeyFile.isPresent(path) ? (try? KeyFile.read(path)).map(\.isEmpty) ?? false : true
    }
}
