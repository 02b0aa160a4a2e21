import FleetToken
package import JOSE

/// Signs with a key in memory.
package final class LocalSigner: TokenSigner {
    private let account: ServiceAccount
    /// The pool of all keys in this process; nil to sign on the current thread.
    private let pool: SigningPool?
    /// The header in base64url, the same for all tokens.
    private let header: [UInt8]
    private let jwk: JWK

    package init(_ account: ServiceAccount, pool: SigningPool? = nil) {
        self.account = account
        self.pool = pool
        header = Base64URL.encode(JWSHeader.encoded(keyID: account.keyID))
        jwk = account.jwk
    }

    /// The account's e-mail address.
    package var issuer: String { account.email }

    /// The public key under the account's key ID.
    package var publicKeys: [JWK] { [jwk] }

    /// False: the token is assembled here, and libcrypto checks each RSA signature that it makes, because a faulty one
    /// could reveal the key.
    package var isRemote: Bool { false }

    package func sign(payload: [UInt8], for caller: String?) async throws -> SignedToken {
        guard let pool else { return try sign(payload: payload) }
        return try await pool.run(for: caller) { try self.sign(payload: payload) }
    }

    /// Signs a payload on the current thread.
    package func sign(payload: [UInt8]) throws(JOSEError) -> SignedToken {
        let message = CompactJWS.signingInput(payload: payload, encodedHeader: header)
        let signature = try account.key.signature(for: message)
        return SignedToken(token: Secret(CompactJWS.token(message, signature: signature)), jwk: jwk)
    }
}
