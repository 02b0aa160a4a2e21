import Crypto
public import FleetToken
import JOSE
public import Logging
import NIOSSL
import TokenMinting

/// The service as it runs for real: every caller known, every ID granted, every decision on record.
public struct ProductionMode: Sendable {
    private(set) var configuration: ServiceConfiguration

    /// Reads and checks a configuration.
    ///
    /// - Parameters:
    ///   - yaml: The file's bytes.
    ///   - path: The file's name, for messages.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each.
    public init(yaml: [UInt8], path: String) throws(ConfigurationError) {
        let file = ConfigurationFile(yaml: yaml)
        guard let configuration = file.configuration else {
            throw ConfigurationError(problems: file.problems.map { "\(path): \($0)" })
        }
        self.configuration = configuration
    }

    /// Listens elsewhere than the configuration says.
    ///
    /// - Parameter address: `HOST:PORT`.
    /// - Throws: ``ConfigurationError`` when it is no address, or one where the configuration would not be safe.
    public mutating func listen(at address: String) throws(ConfigurationError) {
        guard let address = ListenAddress(address) else {
            throw ConfigurationError("The address to listen on is HOST:PORT, such as 0.0.0.0:8080 or [::]:8080.")
        }
        var changed = configuration
        changed.listen = address
        let problems = ConfigurationProblems()
        changed.check(problems)
        guard problems.list.isEmpty else { throw ConfigurationError(problems: problems.list.map(\.description)) }
        configuration = changed
    }

    /// Which scalars IDs may have.
    public var alphabet: ResourceID.Alphabet { configuration.alphabet }

    /// The least level that is logged.
    public var logLevel: Logger.Level { configuration.logLevel }

    /// The service, with every file read that the configuration names.
    ///
    /// - Parameters:
    ///   - logger: Gets the access log.
    ///   - now: The wall clock.
    ///   - onReady: Called once, with the addresses, when both listeners listen.
    /// - Returns: The service, to be run.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each.
    public func service(
        logger: Logger,
        now: @escaping @Sendable () -> NumericDate = { .now },
        onReady: @escaping @Sendable (TokenService.Addresses) -> Void = { _ in }
    ) async throws(ConfigurationError) -> TokenService {
        let network = ProductionNetwork.live()
        let parts = ProductionParts(configuration, network: network, logger: logger, now: now)
        for warning in parts.warnings { logger.warning("\(warning)") }
        guard let issuance = parts.issuance, parts.problems.isEmpty else {
            await network.shutdown()
            throw ConfigurationError(problems: parts.problems)
        }
        return TokenService(
            addresses: .init(service: configuration.listen, admin: configuration.admin),
            tls: parts.tls,
            limits: configuration.limits,
            trustedProxies: configuration.trustedProxies,
            responder: TokenResponder(
                hosts: .any,
                cors: CORSPolicy(origins: .list(configuration.origins)),
                addresses: ClientAddress(trustedProxies: configuration.trustedProxies),
                asksForCertificates: configuration.tls?.clientAuthorities != nil,
                issuance: issuance,
                alphabet: configuration.alphabet,
                aliases: configuration.aliases,
                keys: nil,
                metrics: parts.metrics,
                logger: logger
            ),
            adminResponder: AdminResponder(
                keys: parts.publicKeys,
                registry: parts.registry,
                metrics: parts.metrics,
                logger: logger
            ),
            beside: parts.redis.map { [$0] } ?? [],
            logger: logger,
            onReady: onReady,
            onEnd: network.shutdown
        )
    }

    /// What would keep the service from starting, and what would better be otherwise.
    ///
    /// - Parameter logger: Gets what the parts log when they are made.
    /// - Returns: Problems, with which it doesn't start, and warnings.
    public func check(logger: Logger) -> (problems: [String], warnings: [String]) {
        let parts = ProductionParts(configuration, network: .none, isTrial: true, logger: logger, now: { .now })
        return (parts.problems, parts.warnings)
    }
}
