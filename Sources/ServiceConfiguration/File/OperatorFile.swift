package import ServiceSupport

/// Reading files that an operator names and that hold no secret.
package enum OperatorFile {
    /// Reads a whole file, or the first byte past 1 MiB, which tells that it is too large.
    ///
    /// - Throws: ``ConfigurationError`` that names it.
    package static func read(_ path: String) throws(ConfigurationError) -> [UInt8] {
        do {
            return try FileContent.read(path, atMost: ConfigurationFile.maximumSize + 1)
        } catch {
            throw ConfigurationError(error.description)
        }
    }
}
