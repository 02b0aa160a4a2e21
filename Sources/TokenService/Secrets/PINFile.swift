import FleetToken
import ServiceConfiguration
import ServiceSupport
import TokenMinting

/// A file that holds the PIN of a PKCS#11 token and nothing else, readable by its owner only.
enum PINFile {
    /// Reads the PIN; one trailing newline is ignored.
    ///
    /// - Throws: ``ConfigurationError`` or ``FileError`` that names the file and the fix.
    static func read(_ path: String) throws -> Secret {
        var bytes = try TrustedFile(path).read(isPrivate: true)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard (1...255).contains(bytes.count) else {
            throw ConfigurationError("\(path) must contain the token's PIN.")
        }
        return Secret(bytes)
    }
}
