package import FleetToken

/// A file that holds one secret and nothing else, readable by its owner only.
package enum SecretFile {
    /// The minimum size of a secret: 256 bits.
    package static let minimumSize = 32

    /// Reads the secret; one trailing newline is ignored.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - minimumSize: The minimum size of the secret, in bytes; fewer only where others choose the secret.
    /// - Returns: The secret.
    /// - Throws: ``ConfigurationError`` or ``FileError`` that names the file and the fix.
    package static func read(_ path: String, minimumSize: Int = SecretFile.minimumSize) throws -> Secret {
        var bytes = try TrustedFile(path).read(isPrivate: true)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard bytes.count >= minimumSize else {
            throw ConfigurationError(
                "\(path) has less than \(minimumSize) bytes. Create one: (umask 077; openssl rand -hex 32 > \(path))"
            )
        }
        return Secret(bytes)
    }
}

/// A file that holds the PIN of a PKCS#11 token and nothing else, readable by its owner only.
package enum PINFile {
    /// Reads the PIN; one trailing newline is ignored.
    ///
    /// - Throws: ``ConfigurationError`` or ``FileError`` that names the file and the fix.
    package static func read(_ path: String) throws -> Secret {
        var bytes = try TrustedFile(path).read(isPrivate: true)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard (1...255).contains(bytes.count) else {
            throw ConfigurationError("\(path) must contain the token's PIN.")
        }
        return Secret(bytes)
    }
}
