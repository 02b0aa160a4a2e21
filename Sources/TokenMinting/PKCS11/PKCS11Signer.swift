import FleetToken
package import JOSE
import StrictCoding

/// Signs with a key in a PKCS#11 token.
package struct PKCS11Signer: TokenSigner {
    /// The account's e-mail address.
    package let issuer: String
    /// The header in base64url, the same for all tokens.
    private let header: [UInt8]
    private let jwk: JWK
    private let key: PKCS11Key
    /// The maximum duration of a signature.
    package var limit = Duration.seconds(5)
    /// The token's queue; nil to sign immediately.
    package var queue: SigningQueue?

    /// Creates a signer for an account.
    ///
    /// - Parameters:
    ///   - issuer: The account's e-mail address.
    ///   - keyID: The key's ID at Google.
    ///   - key: The key.
    /// - Throws: ``MintingError`` when the address or the key's ID cannot be one.
    package init(issuer: String, keyID: String, key: PKCS11Key) throws(MintingError) {
        try ServiceAccount.check(email: issuer, keyID: keyID)
        self.issuer = issuer
        self.key = key
        header = Base64URL.encode(JWSHeader.encoded(keyID: keyID))
        jwk = JWK(key.publicKey, keyID: keyID)
    }

    /// The public key under the key ID.
    package var publicKeys: [JWK] { [jwk] }

    /// Signs a payload.
    ///
    /// - Throws: ``PKCS11Error``, `CancellationError`, or the queue's error.
    package func sign(payload: [UInt8], for caller: String?) async throws -> SignedToken {
        guard let queue else { return try await sign(payload: payload) }
        return try await queue.sign(for: caller, account: issuer) { try await sign(payload: payload) }
    }

    private func sign(payload: [UInt8]) async throws -> SignedToken {
        let message = CompactJWS.signingInput(payload: payload, encodedHeader: header)
        let signature = try await key.signature(for: message, within: limit)
        return SignedToken(token: Secret(CompactJWS.token(message, signature: signature)), jwk: jwk)
    }
}
