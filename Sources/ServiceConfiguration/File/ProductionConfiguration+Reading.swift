package import ServiceSupport

extension ProductionConfiguration {
    /// Creates a configuration by reading and checking a file.
    ///
    /// - Parameters:
    ///   - yaml: The file's bytes.
    ///   - path: The file's name, for messages.
    ///   - listen: The address to listen on instead of the configured one.
    ///   - isReload: Whether a running service reads the file again: sections may be empty then.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each.
    package init(
        yaml: [UInt8],
        path: String,
        listen: ListenAddress? = nil,
        isReload: Bool = false
    ) throws(ConfigurationError) {
        let file = ConfigurationFile(yaml: yaml, path: path, isReload: isReload)
        guard let configuration = file.configuration else {
            throw ConfigurationError(problems: file.problems.map { "\(path): \($0)" })
        }
        self =
            try listen.map { address throws(ConfigurationError) in try configuration.listening(at: address) }
            ?? configuration
    }

    /// Returns the same configuration with another listen address.
    ///
    /// - Throws: ``ConfigurationError`` when it would not be safe there.
    package func listening(at address: ListenAddress) throws(ConfigurationError) -> ProductionConfiguration {
        var changed = self
        changed.listen = address
        let problems = ConfigurationProblems()
        changed.check(problems)
        guard problems.list.isEmpty else { throw ConfigurationError(problems: problems.list.map(\.description)) }
        return changed
    }
}
