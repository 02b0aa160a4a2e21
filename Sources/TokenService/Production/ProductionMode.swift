package import FleetToken
package import Logging
package import ServiceConfiguration

/// The service as it runs for real: every caller known, every ID granted, every decision on record.
package struct ProductionMode: Sendable {
    package private(set) var configuration: ProductionConfiguration
    let path: String
    private(set) var listen: ListenAddress?
    /// The configuration's file as it was before it was read.
    let files: FileSnapshot

    /// Reads and checks a configuration.
    ///
    /// - Parameter path: The YAML file.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each.
    package init(path: String) throws(ConfigurationError) {
        files = FileSnapshot(of: [path]) { FileFingerprint(of: $0) }
        configuration = try ProductionConfiguration(yaml: try OperatorFile.read(path), path: path)
        self.path = path
    }

    /// Listens elsewhere than the configuration says.
    ///
    /// - Parameter address: `HOST:PORT`.
    /// - Throws: ``ConfigurationError`` when it is no address, or one where the configuration would not be safe.
    package mutating func listen(at address: String) throws(ConfigurationError) {
        guard let address = ListenAddress(address) else {
            throw ConfigurationError("The address to listen on is HOST:PORT, such as 0.0.0.0:8080 or [::]:8080.")
        }
        configuration = try configuration.listening(at: address)
        listen = address
    }

    /// Which scalars IDs may have.
    package var alphabet: ResourceID.Alphabet { configuration.alphabet }

    /// The least level that is logged.
    package var logLevel: Logger.Level { configuration.logLevel }

    /// What would keep the service from starting, and what would better be otherwise.
    ///
    /// - Parameter logger: Gets what the parts log when they are made.
    /// - Returns: Problems, with which it doesn't start, and warnings.
    package func check(logger: Logger) async -> (problems: [String], warnings: [String]) {
        let shared = SharedResources(network: .none, logger: logger, now: { .now })
        await shared.accounts.open(configuration.kinds.values)
        let parts = ServiceComponents(configuration, at: path, shared, isTrial: true)
        // Keys at Google cannot be tried without asking it.
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
