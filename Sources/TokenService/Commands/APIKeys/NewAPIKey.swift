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
    package init(label: String, notAfter: NumericDate?) throws(CommandError) {
        guard APIKeyRecord.isLabel(label.utf8) else {
            throw CommandError(.usage, "The label must have 1 to 64 visible ASCII characters and spaces.")
        }
        let id = Self.random(APIKey.idLength)
        let secret = Self.random(APIKey.secretLength)
        let key = Array(APIKey.prefix.utf8) + id + [UInt8(ascii: "_")] + secret
        let digest = SHA256Digest(of: key)
        self.key = Secret(key)
        line = APIKeyRecord(id: id, digest: digest.bytes, notAfter: notAfter, label: label).line
    }

    private static func random(_ length: Int) -> [UInt8] {
        // The system's generator, which is fit for secrets.
        (0..<length).map { _ in APIKey.alphabet[Int.random(in: APIKey.alphabet.indices)] }
    }
}
