package import FleetToken
package import JOSE
import ServiceSupport

/// Scope in, signed token out.
package struct TokenMinter: Sendable {
    private let signers: [TokenKind: any TokenSigner]
    /// Whether signatures of keys in this process are verified too, as in a self-test.
    private let verifiesLocal: Bool
    /// Encodes the claims; a test may replace it by a wrong one.
    private let encode: @Sendable (FleetClaims) -> [UInt8]

    package init(
        signers: [TokenKind: any TokenSigner],
        verifiesLocal: Bool = false,
        encode: @escaping @Sendable (FleetClaims) -> [UInt8] = { $0.encoded() }
    ) {
        self.signers = signers
        self.verifiesLocal = verifiesLocal
        self.encode = encode
    }

    /// Returns the known public keys of all its signers.
    ///
    /// - Throws: ``JOSEError`` when two accounts' keys share a `kid`.
    package func keys() throws(JOSEError) -> JWKSet {
        var keys = JWKSet()
        for kind in TokenKind.allCases {
            for jwk in signers[kind]?.publicKeys ?? [] { try keys.insert(jwk) }
        }
        return keys
    }

    /// Returns whether another one mints tokens of the same kinds with the same keys, as far as they are known.
    func hasSameKeys(as other: TokenMinter) -> Bool {
        signers.count == other.signers.count
            && signers.allSatisfy { kind, signer in
                guard let other = other.signers[kind] else { return false }
                return other.issuer.hasSameBytes(as: signer.issuer) && other.publicKeys == signer.publicKeys
            }
    }

    /// Mints a token.
    ///
    /// - Parameters:
    ///   - scope: The scope.
    ///   - lifetime: How long it is to be valid from `now`.
    ///   - caller: The caller for whose turn the signature waits; nil for the service's own, which tests its keys.
    ///   - now: The wall clock.
    ///   - number: The number of the token among those of its second that must differ, from 0 to 59.
    /// - Returns: A token whose claims were read back, compared with the request, and give no more access than the kind
    ///   allows. A token from a remote signer was verified with the signer's key, too.
    /// - Throws: ``TokenError`` if the kind is not offered, ``OperatorError`` if the signed token does not match the
    ///   request, or the signer's error.
    package func mint(
        _ scope: TokenScope,
        lifetime: TokenLifetime = .default,
        for caller: String? = nil,
        now: NumericDate,
        number: Int64 = 0
    ) async throws -> MintedToken {
        guard let signer = signers[scope.kind] else {
            throw TokenError(.kindNotGranted, "This service does not offer \(scope.kind.rawValue) tokens.")
        }
        let claims = FleetClaims(issuer: signer.issuer, scope: scope, lifetime: lifetime, now: now, number: number)
        let payload = encode(claims)
        let signed: SignedToken
        if let gate = signer.gate {
            signed = try await gate.run(for: caller) { try await signer.sign(payload: payload) }
        } else {
            signed = try await signer.sign(payload: payload)
        }
        try check(signed, by: signer, claims: claims, payload: payload, kind: scope.kind)
        return MintedToken(
            signed.token,
            scope: scope,
            issuedAt: claims.issuedAt,
            expiresAt: claims.expiresAt,
            keyID: signed.jwk.keyID
        )
    }

    /// Compares a signed token with the request.
    private func check(
        _ signed: SignedToken,
        by signer: any TokenSigner,
        claims: FleetClaims,
        payload: [UInt8],
        kind: TokenKind
    ) throws(OperatorError) {
        let token = signed.token.reveal()
        guard Self.reads(payload, as: claims, kind),
            signer.isRemote || verifiesLocal
                ? Self.token(token, says: payload, signedBy: signed.jwk)
                : Self.token(token, holds: payload, under: signed.jwk)
        else {
            throw OperatorError("The signer returned a token that does not match the request; it was discarded.")
        }
    }

    /// Returns whether claims, read as by the token's receiver, are valid, match the request, and give no more access
    /// than the kind allows.
    private static func reads(_ payload: [UInt8], as claims: FleetClaims, _ kind: TokenKind) -> Bool {
        let reading = ClaimsReading(payload: payload)
        guard let read = reading.claims, !reading.hasWildcard || kind.isPrivileged else { return false }
        // IDs are in NFC, so those that are equal have the same bytes; e-mail addresses may not be.
        return read.issuer.hasSameBytes(as: claims.issuer) && read.authorization == claims.authorization
            && read.issuedAt == claims.issuedAt && read.expiresAt == claims.expiresAt
    }

    /// Returns whether a locally signed token has the key's header and the payload, byte by byte.
    private static func token(_ token: [UInt8], holds payload: [UInt8], under jwk: JWK) -> Bool {
        let dot = UInt8(ascii: ".")
        guard let first = token.firstIndex(of: dot), let second = token[(first + 1)...].firstIndex(of: dot) else {
            return false
        }
        return Base64URL.isEncoding(token[..<first], of: JWSHeader.encoded(keyID: jwk.keyID))
            && Base64URL.isEncoding(token[(first + 1)..<second], of: payload) && second + 1 < token.count
    }

    /// Returns whether a token is valid for a key and has the requested claims.
    private static func token(_ token: [UInt8], says payload: [UInt8], signedBy jwk: JWK) -> Bool {
        guard let jws = try? CompactJWS(parsing: token), (try? jws.verify(with: jwk)) != nil else { return false }
        return isSameJSON(jws.headerJSON, JWSHeader.encoded(keyID: jwk.keyID)) && isSameJSON(jws.payload, payload)
    }

    /// Returns whether two JSON texts are equal except for order and white space: a remote signer may re-encode the
    /// JSON.
    private static func isSameJSON(_ text: [UInt8], _ other: [UInt8]) -> Bool {
        if text == other { return true }
        guard let value = try? JSONParser.parse(text), let other = try? JSONParser.parse(other) else { return false }
        return value.isEquivalent(to: other)
    }
}

extension JSONValue {
    /// Returns whether two values are equal, byte by byte, except for the order of members.
    func isEquivalent(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(let object), .object(let other)):
            object.members.count == other.members.count
                && object.members.allSatisfy { other[$0.name]?.isEquivalent(to: $0.value) ?? false }
        case (.array(let elements), .array(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.isEquivalent(to: $1) }
        default:
            self == other
        }
    }
}
