import TokenService

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reading files that an operator names.
enum OperatorFile {
    static func read(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError("Cannot read \(path). Name a file that this user may read.")
        }
        return Array(data)
    }
}
