import FleetToken
package import JOSE

/// Signs with a key in memory.
package struct LocalSigner: TokenSigner {
    private let account: ServiceAccount
    private let header: JWSHeader
    private let jwk: JWK

    /// Creates a signer for an account.
    package init(_ account: ServiceAccount) {
        self.account = account
        header = JWSHeader(keyID: account.keyID)
        jwk = account.jwk
    }

    /// The account's e-mail address.
    package var issuer: String { account.email }

    /// The public key under the account's key ID.
    package var publicKeys: [JWK] { [jwk] }

    /// False: the token is assembled here, and libcrypto checks each RSA signature that it makes, because a faulty one
    /// could reveal the key.
    package var isRemote: Bool { false }

    /// Signs a payload.
    package func sign(payload: [UInt8]) throws(JOSEError) -> SignedToken {
        SignedToken(
            token: Secret(try CompactJWS.sign(payload: payload, header: header, with: account.key)),
            jwk: jwk
        )
    }
}
