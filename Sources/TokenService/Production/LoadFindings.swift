import FleetToken
import JOSE
import NIOSSL
import ServiceSupport
import TokenIssuance
import TokenMinting

/// The problems and warnings that loading a configuration finds, each once and with its line.
struct LoadFindings {
    private(set) var problems: [Problem] = []
    private(set) var warnings: [Problem] = []
    private var listed: Set<Problem> = []
    /// Why files are not trusted; reading one gives the same reason again.
    private let distrust: Set<String>
    private let locations: SettingLocations

    /// Creates findings that begin with files that are not trusted.
    init(_ configuration: ProductionConfiguration, at path: String) {
        locations = configuration.locations
        let untrusted = configuration.trustProblems(path)
        distrust = Set(untrusted.map(\.message))
        problems = untrusted.map(locations.located)
        warn(configuration.warnings)
    }

    mutating func report(_ found: [Problem]) {
        let located = found.filter { !distrust.contains($0.message) }.map(locations.located)
        problems += located.filter { listed.insert($0).inserted }
    }

    mutating func warn(_ found: [Problem]) {
        warnings += found.map(locations.located)
    }

    /// Returns what is loaded, or reports why it cannot be.
    @discardableResult
    mutating func attempt<Part>(_ setting: String, _ load: () throws -> Part?) -> Part? {
        do throws(ConfigurationError) {
            return try ConfigurationError.within(setting, load)
        } catch {
            report(error.problems)
            return nil
        }
    }
}

extension LoadFindings {
    /// Reads the keys that sign.
    mutating func keys(
        of configuration: ProductionConfiguration,
        _ shared: SharedResources,
        replacing previous: LoadedService?
    ) -> SigningKeys {
        let (kinds, time) = (configuration.kinds, configuration.connections.signature)
        var keys = SigningKeys(kinds) { account in
            try account.signer(
                google: shared.google,
                gates: shared.signing,
                time: time
            )
        }
        if let previous { keys.checkAccounts(kinds, since: (previous.configuration.kinds, previous.signers)) }
        report(keys.problems)
        warn(keys.warnings)
        return keys
    }

    /// Reads callers' keys and authorities from their files, so that an invalid file is found before the first request.
    mutating func checkFiles(of callers: [CallerConfiguration]) {
        for caller in callers {
            let warnings = attempt("callers.\(caller.name)") { try caller.checkFiles() } ?? []
            warn(warnings.map { $0.within("callers.\(caller.name)") })
        }
    }

    /// Checks what clients require of the listener's certificate.
    ///
    /// A self-signed one, as `openssl req -x509` makes it for a trial, has warnings only.
    ///
    /// - Parameter files: Its files, which could be read; nil for none.
    /// - Returns: Whether it has an RSA key, and no problem with it.
    mutating func checkCertificate(_ files: TLSFiles?) -> Bool {
        guard let path = files?.certificate, let pem = try? KeyFile.read(path), let chain = CertificateChain(pem: pem)
        else { return false }
        func found(_ isFound: Bool, _ text: String) -> [Problem] {
            isFound ? [Problem("\(path) \(text)", setting: "service.tls.certificate")] : []
        }
        let nameless = found(
            !chain.hasHost,
            "has no subject alternative name, the only name that clients read. Add the host's, such as DNS:tokens.example.com."
        )
        report(
            found(
                chain.rsaBits ?? 2048 < 2048,
                "has an RSA key of \(chain.rsaBits ?? 0) bits, which clients refuse. Use an ECDSA key (P-256), or RSA with 2048 bits."
            )
                + (chain.isSelfSigned ? [] : nameless)
                + found(
                    !chain.isForServers,
                    "is not for servers, by its key usage or extended key usage. Use one with serverAuth and digitalSignature."
                )
        )
        warn(
            found(
                chain.lacksIssuer,
                "is not followed by its issuer's certificate, without which clients refuse it. Append the intermediate certificates."
            )
                + (chain.isSelfSigned ? nameless : [])
                + found(
                    chain.isAuthority,
                    "is an authority's (CA:TRUE), which some clients refuse for a server. Use one with basicConstraints CA:FALSE."
                )
        )
        return (chain.rsaBits ?? 0) >= 2048
    }

    /// Reads the secrets of webhooks.
    mutating func webhooks(
        of configuration: ProductionConfiguration,
        _ shared: SharedResources
    ) -> [String: AuthorizationWebhook] {
        configuration.webhooks.reduce(into: [:]) { result, webhook in
            result[webhook.name] = attempt("webhooks.\(webhook.name)") {
                try AuthorizationWebhook(
                    webhook,
                    secret: try ConfigurationError.within("secretFile") { try SecretFile.read(webhook.secretFile) },
                    timeout: configuration.connections.webhook,
                    http: shared.http,
                    metrics: shared.metrics.prometheus,
                    clock: shared.clock
                )
            }
        }
    }
}

extension CallerConfiguration {
    /// Reads its keys and authorities from their files.
    ///
    /// - Returns: A warning if a file has no keys, and for each that cannot be used.
    fileprivate func checkFiles() throws -> [Problem] {
        if case .apiKeys(let path) = method, KeyFile.isPresent(path), APIKeyFile.ids(in: path) == [] {
            let text =
                "\(path) has no keys, so all requests of this caller are refused. Create a key with: tokenctl apikey new"
            return [Problem(text, setting: "apiKeys.file")]
        }
        guard case .jwt(let issuer) = method else { return [] }
        if let path = issuer.authorities {
            try ConfigurationError.within("jwt.caFile") { try Self.checkAuthorities(path) }
        }
        guard case .file(let path) = issuer.keys else { return [] }
        let keys = try ConfigurationError.within("jwt.keysFile") { try Self.keys(issuer, in: path) }
        let texts =
            keys.isEmpty
            ? ["\(path) has no keys, so all tokens of this issuer are refused."]
            : keys.unusableKeys.map { "\(path): \($0)" }
        return texts.map { Problem($0, setting: "jwt.keysFile") }
    }

    private static func checkAuthorities(_ path: String) throws {
        let pem = try TrustedFile(path).read()
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(pem), !certificates.isEmpty else {
            throw ConfigurationError("\(path) has no PEM certificate, which begins with -----BEGIN CERTIFICATE-----.")
        }
    }

    private static func keys(_ issuer: JWTIssuerConfiguration, in path: String) throws -> IssuerKeySet {
        let (plan, json) = (try KeySetPlan(issuer), try TrustedFile(path).read())
        do throws(KeySetFetchError) {
            return try KeySetFetching.keys(plan, in: json)
        } catch {
            throw ConfigurationError("\(path): \(error.description)")
        }
    }
}
