package import FleetToken

/// A file that holds one secret and nothing else, readable by its owner only.
package enum SecretFile {
    /// Reads a secret of at least so many bytes, fewer than 32 only where others choose it; one trailing newline is ignored.
    ///
    /// - Throws: ``ConfigurationError`` or ``FileError`` that names the file and the fix.
    package static func read(_ path: String, minimumSize: Int = 32) throws -> Secret {
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
