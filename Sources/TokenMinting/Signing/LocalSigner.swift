public import JOSE

/// Signs with a key in memory.
public struct LocalSigner: TokenSigner {
    private let account: ServiceAccount
    private let header: JWSHeader
    /// The public key under the account's key ID.
    public let jwk: JWK

    /// A signer for an account.
    public init(_ account: ServiceAccount) {
        self.account = account
        header = JWSHeader(keyID: account.keyID)
        jwk = account.jwk
    }

    /// The account's e-mail address.
    public var issuer: String { account.email }

    /// Signs a payload.
    public func sign(payload: [UInt8]) throws(JOSEError) -> [UInt8] {
        try CompactJWS.sign(payload: payload, header: header, with: account.key)
    }
}
