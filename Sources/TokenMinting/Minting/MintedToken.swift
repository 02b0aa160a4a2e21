package import FleetToken

/// A signed token, with the data for the audit trail and the response.
package struct MintedToken: Sendable {
    /// The token.
    package let token: Secret
    /// The scope.
    package let scope: TokenScope
    /// `iat`.
    package let issuedAt: NumericDate
    /// `exp`.
    package let expiresAt: NumericDate
    /// `kid`.
    package let keyID: String
    /// The token's SHA-256: it identifies a token without granting access.
    package let sha256: [UInt8]

    /// Returns whether it is valid at a time: neither dated in the future nor expired.
    package func isValid(at now: NumericDate) -> Bool {
        issuedAt <= now && now < expiresAt
    }

    /// Returns the response for a caller that gets the token at `now`.
    package func response(at now: NumericDate) -> TokenResponse {
        TokenResponse(token: token, issuedAt: issuedAt, expiresAt: expiresAt, now: now)
    }
}
