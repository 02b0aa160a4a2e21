import ServiceConfiguration
package import ServiceSupport

/// Parses the YAML file strictly and reports all problems.
package struct ConfigurationFile {
    /// The configuration, if nothing is wrong with it.
    package let configuration: ProductionConfiguration?
    /// The parts that could be read, even if others have problems; nil if none could.
    package let readable: ProductionConfiguration?
    /// All that is wrong.
    package let problems: [Problem]

    /// Creates the result of parsing and checking a file's text.
    ///
    /// - Parameters:
    ///   - yaml: The text.
    ///   - path: The file's path. Relative paths in the text are resolved against its folder.
    ///   - isReload: Whether a running service reads the file again: sections may be empty then.
    package init(yaml: [UInt8], path: String = "", isReload: Bool = false) {
        let problems = ConfigurationProblems(file: path, isReload: isReload, removed: RemovedSettings.message)
        var configuration: ProductionConfiguration?
        if let root = ConfigurationText.parse(yaml, problems) {
            configuration = ProductionConfiguration(root)
            configuration?.check(problems)
            configuration?.locations = problems.locations
            configuration?.isWhole = problems.list.isEmpty
        }
        readable = configuration
        self.configuration = problems.list.isEmpty ? configuration : nil
        self.problems = problems.list
    }
}

extension ProductionConfiguration {
    /// Reads and checks a file, with the ways in which others could have changed it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - listen: The address to listen on instead of the configured one.
    ///   - isReload: Whether a running service reads the file again: sections may be empty then.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each.
    init(path: String, listen: ListenAddress? = nil, isReload: Bool = false) throws(ConfigurationError) {
        let (bytes, problems): ([UInt8], [String])
        do {
            (bytes, problems) = try TrustedFile(path).content(atMost: ConfigurationText.readSize)
        } catch {
            throw ConfigurationError(error.description)
        }
        let file = ConfigurationFile(yaml: bytes, path: path, isReload: isReload)
        guard let configuration = file.configuration else { throw ConfigurationError(problems: file.problems) }
        self = if let listen { try configuration.listening(at: listen) } else { configuration }
        fileProblems = problems
    }

    /// Returns the same configuration with another listen address.
    ///
    /// - Throws: ``ConfigurationError`` when it would not be safe there.
    package func listening(at address: ListenAddress) throws(ConfigurationError) -> ProductionConfiguration {
        var changed = self
        changed.listen = address
        let problems = ConfigurationProblems()
        changed.check(problems)
        guard problems.list.isEmpty else { throw ConfigurationError(problems: problems.list) }
        return changed
    }
}
