import FleetToken
import JOSE
import ServiceSupport

/// Proves to a webhook that a request comes from this service, and when.
///
/// HMAC-SHA-256 (RFC 2104) with the shared secret over the timestamp, a dot and the body. The timestamp is under the
/// signature, so that the receiver can reject old requests.
struct WebhookSignature {
    /// How many bytes a secret has at least: as many as the hash.
    static let minimumSecretSize = 32
    /// The header field with the time, in seconds since 1970.
    static let timestampField = "Fleet-Token-Timestamp"
    /// The header field with the signature: `v1=` and 64 lower-case hexadecimal digits.
    static let signatureField = "Fleet-Token-Signature"

    private let key: Secret

    /// Creates a signer with a secret file's content, whose trailing line breaks are ignored.
    ///
    /// - Throws: ``ConfigurationError`` when the secret is too short to be one.
    init(secret: Secret) throws(ConfigurationError) {
        var bytes = secret.reveal()
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard bytes.count >= Self.minimumSecretSize else {
            throw ConfigurationError(
                "A webhook's secret must have at least 32 bytes. Create one with: openssl rand -hex 32"
            )
        }
        key = Secret(bytes)
    }

    /// Returns the header fields for a body.
    func fields(for body: [UInt8], at time: NumericDate) -> [(name: String, value: String)] {
        let timestamp = String(time.seconds)
        let code = HMACSHA256.code(
            for: Array(timestamp.utf8) + [UInt8(ascii: ".")] + body,
            key: key.reveal()
        )
        return [(Self.timestampField, timestamp), (Self.signatureField, "v1=\(Hexadecimal.text(code))")]
    }
}
