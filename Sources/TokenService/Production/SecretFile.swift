import FleetToken
import ServiceConfiguration
import TokenMinting

/// A file that holds one secret and nothing else, readable by its owner only.
enum SecretFile {
    /// The least that is no guess: 256 bits.
    static let minimumSize = 32

    /// Reads the secret; one newline at its end is not part of it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - minimumSize: How many bytes it must have; fewer only where others choose the secret.
    /// - Returns: The secret.
    /// - Throws: ``ConfigurationError`` or ``MintingError`` that names the file and says what to do.
    static func read(_ path: String, minimumSize: Int = SecretFile.minimumSize) throws -> Secret {
        try KeyFile.requirePrivate(path)
        var bytes = try KeyFile.read(path)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard bytes.count >= minimumSize else {
            throw ConfigurationError(
                "\(path) holds less than \(minimumSize) bytes. Make one: (umask 077; openssl rand -hex 32 > \(path))"
            )
        }
        return Secret(bytes)
    }
}
