package import FleetToken
package import Logging
package import ServiceConfiguration

/// The service in production: every caller authenticated, every ID granted, every decision recorded.
package struct ProductionMode: Sendable {
    package private(set) var configuration: ProductionConfiguration
    let path: String
    private(set) var listen: ListenAddress?
    /// The configuration's file as it was before it was read.
    let files: FileSnapshot

    /// Creates a configuration by reading and checking a file.
    ///
    /// - Parameter path: The YAML file.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each.
    package init(path: String) throws(ConfigurationError) {
        files = FileSnapshot(of: [path]) { FileFingerprint(of: $0) }
        configuration = try ProductionConfiguration(yaml: try OperatorFile.read(path), path: path)
        self.path = path
    }

    /// Sets another listen address.
    ///
    /// - Parameter address: `HOST:PORT`.
    /// - Throws: ``ConfigurationError`` if it is not an address, or the configuration would be unsafe there.
    package mutating func listen(at address: String) throws(ConfigurationError) {
        guard let address = ListenAddress(address) else {
            throw ConfigurationError("The listen address must be HOST:PORT, such as 0.0.0.0:8080 or [::]:8080.")
        }
        configuration = try configuration.listening(at: address)
        listen = address
    }

    /// Which scalars IDs may have.
    package var alphabet: ResourceID.Alphabet { configuration.alphabet }

    /// The least level that is logged.
    package var logLevel: Logger.Level { configuration.logLevel }

    /// Returns the problems that prevent the start, and the warnings.
    ///
    /// - Parameter logger: Logs the messages of the components.
    /// - Returns: Problems, with which it doesn't start, and warnings.
    package func check(logger: Logger) async -> (problems: [String], warnings: [String]) {
        let shared = SharedResources(network: .none, logger: logger, now: { .now })
        await shared.accounts.open(configuration.kinds.values)
        let parts = ServiceComponents(configuration, at: path, shared, isTrial: true)
        // Keys at Google cannot be tested without a request.
        let local = parts.rings.filter { configuration.kinds[$0.key]?.asksGoogle == false }
        let test = await SigningTest(of: local, at: shared.now())
        return (parts.problems + test.problems, parts.warnings)
    }
}

extension KindConfiguration {
    /// Whether one of its keys is at Google.
    fileprivate var asksGoogle: Bool {
        [account, next?.account, previous].contains { if case .iam? = $0 { true } else { false } }
    }
}
