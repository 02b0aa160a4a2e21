import FleetToken
import JOSE
import NIOSSL
import ServiceConfiguration
import ServiceSupport
import TokenIssuance
import TokenMinting

/// The problems and warnings that loading a configuration finds, each problem once.
struct LoadFindings {
    private(set) var problems: [String] = []
    var warnings: [String]
    private var listed: Set<String> = []
    /// Why files are not trusted; reading one gives the same reason again.
    private let distrust: Set<String>

    /// Creates findings that begin with files that are not trusted.
    init(_ untrusted: [(name: String, problem: String)], warnings: [String]) {
        self.warnings = warnings
        distrust = Set(untrusted.map(\.problem))
        problems = untrusted.map { "\($0.name): \($0.problem)" }.filter { listed.insert($0).inserted }
    }

    mutating func report(_ found: [String]) {
        problems += found.filter { !isDistrust($0[...]) && listed.insert($0).inserted }
    }

    /// Returns whether a problem, or what follows the setting that it names, is a reason not to trust a file.
    private func isDistrust(_ problem: Substring) -> Bool {
        if distrust.contains(String(problem)) { return true }
        return problem.firstRange(of: ": ").map { isDistrust(problem[$0.upperBound...]) } ?? false
    }

    /// Returns what is loaded, or reports why it cannot be.
    @discardableResult
    mutating func attempt<Part>(_ path: String, _ load: () throws -> Part?) -> Part? {
        do {
            return try load()
        } catch let error as ConfigurationError {
            report(error.problems.map { "\(path): \($0)" })
        } catch {
            report(["\(path): \(OperatorMessage(error))"])
        }
        return nil
    }
}

extension LoadFindings {
    /// Reads the keys that sign.
    mutating func keys(
        of configuration: ProductionConfiguration,
        _ shared: SharedResources,
        replacing previous: LoadedService?
    ) -> SigningKeys {
        let (kinds, limits) = (configuration.kinds, configuration.limits)
        var keys = SigningKeys(kinds, at: shared.clock.now) { account in
            try shared.accounts.read(account).signer(shared, limits: limits)
        }
        if let previous { keys.checkAccounts(kinds, since: (previous.configuration.kinds, previous.rings)) }
        report(keys.problems)
        warnings += keys.warnings
        return keys
    }

    /// Reads callers' keys and authorities from their files, so that an invalid file is found before the first request.
    mutating func checkFiles(of callers: [CallerConfiguration]) {
        for caller in callers {
            let path = "callers.\(caller.name)"
            if let warning = attempt(path, { try caller.checkFiles() }) { warnings.append("\(path): \(warning)") }
        }
    }

    /// Reads Redis's password, and checks the other files for it.
    mutating func password(of redis: LimitsConfiguration.Redis?) -> Secret? {
        guard let redis else { return nil }
        let password = attempt("limits.redis.passwordFile") {
            try redis.passwordFile.map { try SecretFile.read($0, minimumSize: RedisRateStore.minimumPasswordSize) }
        }
        if redis.passwordFile == nil, !redis.address.isLoopback {
            warnings.append(
                "limits.redis: any client that can reach \(redis.address) can reset the limits. Set passwordFile, and outside a private network tls."
            )
        }
        if let tls = redis.tls { attempt("limits.redis.tls") { _ = try TLSConfiguration.redis(tls) } }
        return password
    }
}

extension CallerConfiguration {
    /// Reads its keys and authorities from their files, so that an invalid file is found before the first request.
    ///
    /// - Returns: A warning if a file has no keys.
    fileprivate func checkFiles() throws -> String? {
        if case .apiKeys(let path) = method, KeyFile.isPresent(path), APIKeyFile.ids(in: path) == [] {
            return
                "\(path) has no keys, so all requests of this caller are refused. Create a key with: tokenctl apikey new"
        }
        guard case .jwt(let issuer) = method else { return nil }
        if let path = issuer.authorities {
            let pem = try TrustedFile(path).read()
            guard let certificates = try? NIOSSLCertificate.fromPEMBytes(pem), !certificates.isEmpty else {
                throw ConfigurationError(
                    "\(path) has no PEM certificate, which begins with -----BEGIN CERTIFICATE-----."
                )
            }
        }
        guard case .file(let path) = issuer.keys else { return nil }
        do {
            let keys = try IssuerKeySet(parsing: try TrustedFile(path).read(), mayBeEmpty: true)
            return keys.isEmpty ? "\(path) has no keys, so all tokens of this issuer are refused." : nil
        } catch let error as JOSEError {
            throw ConfigurationError("\(path): \(error.description)")
        }
    }
}
