/// A response with the token and its times, under the names that each of Google's sample clients reads.
package struct TokenResponse: Hashable, Sendable {
    package let token: Secret
    package let issuedAt: NumericDate
    package let expiresAt: NumericDate
    /// The remaining lifetime of the token at the time of the response, in seconds.
    package let expiresIn: Int64

    /// Creates the response for a token that is returned at `now`.
    package init(token: Secret, issuedAt: NumericDate, expiresAt: NumericDate, now: NumericDate) {
        self.token = token
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        expiresIn = expiresAt - now
    }

    /// Returns the body: exactly these keys in this order, each timestamp an integer number of milliseconds since 1970.
    package func encoded() -> [UInt8] {
        let token = token.reveal()
        var writer = JSONWriter(capacity: 2 * token.count + 256)
        writer.object { writer in
            writer.member("token", utf8: token)
            writer.member("jwt", utf8: token)
            writer.member("expiresInSeconds", expiresIn)
            writer.member("creationTimestamp", issuedAt.milliseconds)
            writer.member("expirationTimestamp", expiresAt.milliseconds)
            writer.member("creation_timestamp_ms", issuedAt.milliseconds)
            writer.member("expiration_timestamp_ms", expiresAt.milliseconds)
        }
        return writer.bytes
    }
}
