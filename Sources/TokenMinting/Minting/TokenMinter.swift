public import FleetToken
public import JOSE
import StrictCoding

/// Scope in, signed token out.
public struct TokenMinter: Sendable {
    private let rings: [TokenKind: KeyRing]

    /// A minter that offers the kinds it has a ring for.
    public init(rings: [TokenKind: KeyRing]) {
        self.rings = rings
    }

    /// A minter whose keys stay as they are.
    public init(signers: [TokenKind: any TokenSigner]) {
        self.init(rings: signers.mapValues { KeyRing(current: $0) })
    }

    /// The public keys of all its signers, as far as they are known now: of those that sign, and of those before and
    /// after them.
    ///
    /// - Throws: ``JOSEError`` when two accounts' keys share a `kid`.
    public func keys() throws(JOSEError) -> JWKSet {
        var keys = JWKSet()
        for kind in TokenKind.allCases {
            for jwk in rings[kind]?.signers.flatMap(\.publicKeys) ?? [] { try keys.insert(jwk) }
        }
        return keys
    }

    /// Whether a kind's next key signs by now.
    func isPromoted(_ kind: TokenKind, at now: NumericDate) -> Bool {
        rings[kind]?.isPromoted(at: now) ?? false
    }

    /// Mints a token.
    ///
    /// - Parameters:
    ///   - scope: What it is to open.
    ///   - lifetime: How long it is to be valid from `now`.
    ///   - now: The wall clock.
    /// - Returns: A token whose claims were read back and found to be sound and to open no more than the kind may. One that
    ///   was signed elsewhere was verified with its signer's key, too, and found to say what was asked for.
    /// - Throws: ``TokenError`` when the kind is not offered, ``MintingError`` when what was signed is something else,
    ///   or the signer's error.
    public func mint(
        _ scope: TokenScope,
        lifetime: TokenLifetime = .default,
        now: NumericDate
    ) async throws -> MintedToken {
        guard let signer = rings[scope.kind]?.signer(at: now) else {
            throw TokenError(.kindNotGranted, "This service offers no \(scope.kind.rawValue) tokens.")
        }
        let claims = FleetClaims(issuer: signer.issuer, scope: scope, lifetime: lifetime, now: now)
        let payload = claims.encoded()
        let signed = try await signer.sign(payload: payload)
        guard Self.opens(scope.kind, payload),
            !signer.isElsewhere || Self.token(signed.token.reveal(), says: payload, signedBy: signed.jwk)
        else {
            throw MintingError(
                .wrongToken,
                "The signer returned a token that is not the one asked for; it was dropped."
            )
        }
        return MintedToken(
            token: signed.token,
            scope: scope,
            issuedAt: claims.issuedAt,
            expiresAt: claims.expiresAt,
            keyID: signed.jwk.keyID,
            sha256: SHA256.hash(signed.token.reveal())
        )
    }

    /// Reads claims as a token's receiver will: whether nothing is wrong with them, and they open no more than the kind may.
    private static func opens(_ kind: TokenKind, _ payload: [UInt8]) -> Bool {
        let reading = ClaimsReading(payload: payload)
        return reading.problems.isEmpty && (!reading.hasWildcard || kind.isPrivileged)
    }

    /// Reads a token back, verifies it, and compares it with what was asked for.
    private static func token(_ token: [UInt8], says payload: [UInt8], signedBy jwk: JWK) -> Bool {
        guard let jws = try? CompactJWS(parsing: token), (try? jws.verify(with: jwk.key)) != nil else { return false }
        return isSameJSON(jws.headerJSON, JWSHeader(keyID: jwk.keyID).encoded()) && isSameJSON(jws.payload, payload)
    }

    /// Whether two texts say the same, in whatever order and spacing: a signer elsewhere may write the JSON anew.
    private static func isSameJSON(_ text: [UInt8], _ other: [UInt8]) -> Bool {
        if text == other { return true }
        guard let value = try? JSONParser.parse(text), let other = try? JSONParser.parse(other) else { return false }
        return value.isEquivalent(to: other)
    }
}
