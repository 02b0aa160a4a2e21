package import FleetToken
import JOSE
import ServiceSupport
import TokenIssuance

/// A new API key: the key, to be shown once, and the line to store.
package struct NewAPIKey: Sendable {
    /// The key, for the caller: `ftk_…`.
    package let key: Secret
    /// The line for the API-key file: ID, SHA-256, expiry and label.
    package let line: String

    /// Creates a key with 256 random bits.
    ///
    /// - Parameters:
    ///   - label: The operator's label: 1 to 64 visible ASCII characters and spaces.
    ///   - notAfter: From when on it is refused; nil for never.
    ///   - generator: Where the randomness comes from; it must be fit for secrets, as `SystemRandomNumberGenerator` is.
    /// - Throws: ``CommandError`` when the label is not valid.
    package init(
        label: String,
        notAfter: NumericDate?,
        using generator: inout some RandomNumberGenerator
    ) throws(CommandError) {
        guard APIKeyRecord.isLabel(label.utf8) else {
            throw CommandError(.usage, "The label must have 1 to 64 visible ASCII characters and spaces.")
        }
        let id = Self.text(APIKey.idLength, using: &generator)
        let secret = Self.text(APIKey.secretLength, using: &generator)
        let key = Array(APIKey.prefix.utf8) + id + [UInt8(ascii: "_")] + secret
        let digest = SHA256Digest(of: key)
        self.key = Secret(key)
        line = APIKeyRecord(id: id, digest: digest.bytes, notAfter: notAfter, label: label).line
    }

    private static func text(_ length: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        let alphabet = APIKey.alphabet
        return (0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
    }
}
