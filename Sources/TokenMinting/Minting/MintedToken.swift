package import FleetToken

/// A signed token, with what the audit trail and the answer need to know of it.
package struct MintedToken: Sendable {
    /// The token.
    package let token: Secret
    /// What it opens.
    package let scope: TokenScope
    /// `iat`.
    package let issuedAt: NumericDate
    /// `exp`.
    package let expiresAt: NumericDate
    /// `kid`.
    package let keyID: String
    /// The token's SHA-256: it finds a token and tells nobody what it is.
    package let sha256: [UInt8]

    /// Whether it is valid at a time: neither from the future nor expired.
    package func isValid(at now: NumericDate) -> Bool {
        issuedAt <= now && now < expiresAt
    }

    /// The answer for a caller who gets it at `now`.
    package func response(at now: NumericDate) -> TokenResponse {
        TokenResponse(token: token, issuedAt: issuedAt, expiresAt: expiresAt, now: now)
    }
}
