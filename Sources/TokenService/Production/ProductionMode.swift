package import ServiceSupport

/// The service in production: every caller authenticated, every ID granted, every decision recorded.
package struct ProductionMode: Sendable {
    package let configuration: ProductionConfiguration
    let path: String
    /// The address to listen on instead of the configured one.
    let listen: ListenAddress?
    /// The configuration's file as it was before it was read.
    let files: FileSnapshot

    /// Creates a configuration by reading and checking a file.
    ///
    /// - Parameters:
    ///   - path: The YAML file.
    ///   - address: The `HOST:PORT` to listen on instead of the configured one.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each.
    package init(path: String, listeningAt address: String? = nil) throws(ConfigurationError) {
        files = FileSnapshot(of: [path]) { FileFingerprint(of: $0) }
        listen = if let address { try ListenAddress(setting: address) } else { nil }
        configuration = try ProductionConfiguration(path: path, listen: listen)
        self.path = path
    }
}
