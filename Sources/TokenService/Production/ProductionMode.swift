package import ServiceSupport
package import TokenIssuance

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
        configuration = try ProductionConfiguration(path: path)
        self.path = path
    }

    /// Sets another listen address.
    ///
    /// - Parameter address: `HOST:PORT`.
    /// - Throws: ``ConfigurationError`` if it is not an address, or the configuration would be unsafe there.
    package mutating func listen(at address: String) throws(ConfigurationError) {
        let address = try ListenAddress(setting: address)
        configuration = try configuration.listening(at: address)
        listen = address
    }

    /// What requests may name.
    package var rules: RequestRules { RequestRules(configuration) }
}
