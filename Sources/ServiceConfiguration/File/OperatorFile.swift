#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reading files that an operator names and that hold no secret.
package enum OperatorFile {
    /// Reads a whole file.
    ///
    /// - Throws: ``ConfigurationError`` that names it.
    package static func read(_ path: String) throws(ConfigurationError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError("Cannot read \(path). Use a file that this user can read.")
        }
        return Array(data)
    }
}
