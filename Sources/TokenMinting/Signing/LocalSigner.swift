import FleetToken
package import JOSE
import StrictCoding

/// Signs with a key in memory.
package final class LocalSigner: TokenSigner {
    private let account: ServiceAccount
    /// The header in base64url, the same for all tokens.
    private let header: [UInt8]
    private let jwk: JWK

    package init(_ account: ServiceAccount) {
        self.account = account
        header = Base64URL.encode(JWSHeader(keyID: account.keyID).encoded())
        jwk = account.jwk
    }

    /// The account's e-mail address.
    package var issuer: String { account.email }

    /// The public key under the account's key ID.
    package var publicKeys: [JWK] { [jwk] }

    /// False: the token is assembled here, and libcrypto checks each RSA signature that it makes, because a faulty one
    /// could reveal the key.
    package var isRemote: Bool { false }

    package var key: RSAPrivateKey { account.key }

    /// Signs a payload on the current thread.
    package func sign(payload: [UInt8], for flow: Flow = .service) throws(JOSEError) -> SignedToken {
        let message = message(for: payload)
        return token(message, signature: try account.key.signature(for: message))
    }

    package func message(for payload: [UInt8]) -> [UInt8] {
        CompactJWS.signingInput(payload: payload, encodedHeader: header, signatureSize: account.key.signatureSize)
    }

    package func token(_ message: consuming [UInt8], signature: [UInt8]) -> SignedToken {
        SignedToken(token: Secret(CompactJWS.token(message, signature: signature)), jwk: jwk)
    }
}
