public import FleetToken

/// A signed token, with what the audit trail and the answer need to know of it.
public struct MintedToken: Sendable {
    /// The token.
    public let token: Secret
    /// What it opens.
    public let scope: TokenScope
    /// `iat`.
    public let issuedAt: NumericDate
    /// `exp`.
    public let expiresAt: NumericDate
    /// `kid`.
    public let keyID: String
    /// The token's SHA-256: it finds a token and tells nobody what it is.
    public let sha256: [UInt8]

    /// Whether it is valid at a time: neither from the future nor expired.
    public func isValid(at now: NumericDate) -> Bool {
        issuedAt <= now && now < expiresAt
    }

    /// The answer for a caller who gets it at `now`.
    public func response(at now: NumericDate) -> TokenResponse {
        TokenResponse(token: token, issuedAt: issuedAt, expiresAt: expiresAt, now: now)
    }
}
