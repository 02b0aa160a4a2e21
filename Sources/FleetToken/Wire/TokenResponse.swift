public import StrictCoding

/// What a caller gets: the token and its times, under the names that each of Google's sample clients reads.
public struct TokenResponse: Hashable, Sendable {
    /// The signed token.
    public let token: Secret
    /// `iat`.
    public let issuedAt: NumericDate
    /// `exp`.
    public let expiresAt: NumericDate
    /// How many seconds the token had left when it was handed out.
    public let expiresIn: Int64

    /// The answer for a token that is handed out at `now`.
    public init(token: Secret, issuedAt: NumericDate, expiresAt: NumericDate, now: NumericDate) {
        self.token = token
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        expiresIn = expiresAt - now
    }

    /// The body: exactly these keys in this order, each timestamp an integer number of milliseconds since 1970.
    ///
    /// - Parameter addMembers: Writes members that come after them.
    /// - Returns: The JSON.
    public func encoded(_ addMembers: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
        let token = token.reveal()
        var writer = JSONWriter(capacity: 2 * token.count + 512)
        writer.object { writer in
            writer.name("token")
            writer.string(utf8: token)
            writer.name("jwt")
            writer.string(utf8: token)
            writer.name("expiresInSeconds")
            writer.integer(expiresIn)
            writer.name("creationTimestamp")
            writer.integer(issuedAt.milliseconds)
            writer.name("expirationTimestamp")
            writer.integer(expiresAt.milliseconds)
            writer.name("creation_timestamp_ms")
            writer.integer(issuedAt.milliseconds)
            writer.name("expiration_timestamp_ms")
            writer.integer(expiresAt.milliseconds)
            addMembers(&writer)
        }
        return writer.bytes
    }
}
