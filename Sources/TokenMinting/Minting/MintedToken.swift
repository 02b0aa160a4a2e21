package import FleetToken
package import JOSE

/// A signed token, with the data for the audit trail and the response.
package final class MintedToken: Sendable {
    package let token: Secret
    package let scope: TokenScope
    /// `iat`.
    package let issuedAt: NumericDate
    /// `exp`.
    package let expiresAt: NumericDate
    /// `kid`.
    package let keyID: String
    /// The token's SHA-256: it identifies a token without granting access.
    package let sha256: SHA256Digest

    init(_ token: Secret, scope: TokenScope, issuedAt: NumericDate, expiresAt: NumericDate, keyID: String) {
        self.token = token
        self.scope = scope
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.keyID = keyID
        sha256 = SHA256Digest(of: token.reveal())
    }

    /// Returns whether it is valid at a time: neither dated in the future nor expired.
    package func isValid(at now: NumericDate) -> Bool {
        issuedAt <= now && now < expiresAt
    }

    /// Returns the response for a caller that gets the token at `now`.
    package func response(at now: NumericDate) -> TokenResponse {
        TokenResponse(token: token, issuedAt: issuedAt, expiresAt: expiresAt, now: now)
    }
}
