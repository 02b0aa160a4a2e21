import FleetToken
import JOSE
import ServiceSupport

/// Proves to a webhook that a request comes from this service, and when.
///
/// HMAC-SHA-256 (RFC 2104) with the shared secret over the timestamp, a dot and the body. The timestamp is under the
/// signature, so that the receiver can reject old requests.
struct WebhookSignature {
    /// The header field with the time, in seconds since 1970.
    static let timestampField = "Fleet-Token-Timestamp"
    /// The header field with the signature: `v1=` and 64 lower-case hexadecimal digits.
    static let signatureField = "Fleet-Token-Signature"

    private let key: Secret

    init(secret: Secret) { key = secret }

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
