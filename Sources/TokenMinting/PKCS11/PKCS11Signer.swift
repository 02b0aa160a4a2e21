import FleetToken
package import JOSE
import StrictCoding

/// Signs with a key in a PKCS#11 token.
package struct PKCS11Signer: TokenSigner {
    /// The assumed time of a signature until it is measured, in nanoseconds.
    private static let duration: Int64 = 10_000_000

    /// The account's e-mail address.
    package let issuer: String
    /// The header in base64url, the same for all tokens.
    private let header: [UInt8]
    private let jwk: JWK
    private let key: PKCS11Key
    /// The maximum time of a signature.
    private let time: Duration
    /// The token's own queue; nil to sign immediately.
    private let queue: SigningQueue?

    /// Creates a signer for an account, whose token has a queue beside the one of all keys in this process.
    ///
    /// - Throws: ``MintingError`` when the address or the key's ID cannot be one.
    package init(
        issuer: String,
        keyID: String,
        key: PKCS11Key,
        time: Duration,
        queue: SigningQueue? = nil
    ) throws(MintingError) {
        try ServiceAccount.check(email: issuer, keyID: keyID)
        self.issuer = issuer
        self.key = key
        self.time = time
        // A token makes signatures one after the other.
        self.queue = queue?.remote(.pkcs11, parallel: 1, duration: Self.duration)
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
        let signature = try await key.signature(for: message, within: time)
        return SignedToken(token: Secret(CompactJWS.token(message, signature: signature)), jwk: jwk)
    }
}
