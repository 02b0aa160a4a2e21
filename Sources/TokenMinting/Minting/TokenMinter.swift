public import FleetToken
public import JOSE

/// Scope in, signed token out.
public struct TokenMinter: Sendable {
    private let signers: [TokenKind: any TokenSigner]

    /// A minter that offers the kinds it has a signer for.
    public init(signers: [TokenKind: any TokenSigner]) {
        self.signers = signers
    }

    /// The public keys of all its signers.
    ///
    /// - Throws: ``JOSEError`` when two accounts' keys share a `kid`.
    public func keys() throws(JOSEError) -> JWKSet {
        var keys = JWKSet()
        for kind in TokenKind.allCases {
            if let signer = signers[kind] { try keys.insert(signer.jwk) }
        }
        return keys
    }

    /// Mints a token.
    ///
    /// - Parameters:
    ///   - scope: What it is to open.
    ///   - lifetime: How long it is to be valid from `now`.
    ///   - now: The wall clock.
    /// - Returns: A token whose bytes were read back and found to say what was asked for, and no more.
    /// - Throws: ``TokenError`` when the kind is not offered, ``MintingError`` when what was signed is something else,
    ///   or the signer's error.
    public func mint(
        _ scope: TokenScope,
        lifetime: TokenLifetime = .default,
        now: NumericDate
    ) async throws -> MintedToken {
        guard let signer = signers[scope.kind] else {
            throw TokenError(.kindNotGranted, "This service offers no \(scope.kind.rawValue) tokens.")
        }
        let claims = FleetClaims(issuer: signer.issuer, scope: scope, lifetime: lifetime, now: now)
        let token = try await signer.sign(payload: claims.encoded())
        try Self.check(token, keyID: signer.jwk.keyID, claims: claims, kind: scope.kind)
        return MintedToken(
            token: Secret(token),
            scope: scope,
            issuedAt: claims.issuedAt,
            expiresAt: claims.expiresAt,
            keyID: signer.jwk.keyID
        )
    }

    /// Reads a token back, as its receiver will, and compares it with what was asked for.
    private static func check(_ token: [UInt8], keyID: String, claims: FleetClaims, kind: TokenKind) throws {
        let jws = try CompactJWS(parsing: token)
        let reading = ClaimsReading(payload: jws.payload)
        guard jws.header == JWSHeader(keyID: keyID), reading.claims == claims,
            !reading.hasWildcard || kind.isPrivileged
        else {
            throw MintingError(
                .wrongToken,
                "The signer returned a token that is not the one asked for; it was dropped."
            )
        }
    }
}
