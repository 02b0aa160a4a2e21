package import ServiceSupport

/// Reading files that an operator names and that hold no secret.
package enum OperatorFile {
    /// Reads a production configuration, with the ways in which others could have changed it.
    ///
    /// - Throws: ``ConfigurationError`` that names the file.
    package static func configuration(
        _ path: String,
        listen: ListenAddress? = nil,
        isReload: Bool = false
    ) throws(ConfigurationError) -> ProductionConfiguration {
        let (bytes, problems): ([UInt8], [String])
        do {
            (bytes, problems) = try TrustedFile(path).content(atMost: ConfigurationFile.maximumSize + 1)
        } catch {
            throw ConfigurationError(error.description)
        }
        var configuration = try ProductionConfiguration(
            yaml: bytes,
            path: path,
            listen: listen,
            isReload: isReload
        )
        configuration.fileProblems = problems
        return configuration
    }

    /// Reads a whole file, or the first byte past 1 MiB, which tells that it is too large.
    ///
    /// - Throws: ``ConfigurationError`` that names it.
    package static func read(_ path: String) throws(ConfigurationError) -> [UInt8] {
        do {
            return try FileContent.read(path, atMost: ConfigurationFile.maximumSize + 1, isRegular: true)
        } catch {
            throw ConfigurationError(error.description)
        }
    }
}
