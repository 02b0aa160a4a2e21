import FleetToken

extension Secret {
    /// Creates a JWT with these claims and an invalid signature.
    init(claims: some Sequence<UInt8>, serial: Int = 0) {
        let parts = [
            Array(#"{"alg":"RS256","typ":"JWT","kid":"test"}"#.utf8), Array(claims), Array("signature \(serial)".utf8),
        ]
        self.init(parts.map { String(decoding: Base64URL.encode($0), as: UTF8.self) }.joined(separator: "."))
    }

    /// Creates a JWT for a scope.
    init(scope: FleetToken.TokenScope, now: NumericDate = .now, lifetime: TokenLifetime = .default, serial: Int = 0) {
        let claims = FleetClaims(issuer: "signer@test.example", scope: scope, lifetime: lifetime, now: now)
        self.init(claims: claims.encoded(), serial: serial)
    }
}

extension TokenResponse {
    /// Creates the response of `tokend` for a scope.
    init(for scope: FleetToken.TokenScope, now: NumericDate, serial: Int = 0) {
        self.init(
            token: Secret(scope: scope, now: now, serial: serial),
            issuedAt: now - FleetClaims.backdating,
            expiresAt: now + TokenLifetime.default.seconds,
            now: now
        )
    }
}
