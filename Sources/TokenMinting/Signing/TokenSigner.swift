public import JOSE

/// Something that signs payloads for one service account.
public protocol TokenSigner: Sendable {
    /// `iss` and `sub` of what it signs.
    var issuer: String { get }

    /// The public keys that may verify what it signs, as far as they are known now; for publication.
    ///
    /// A signer whose keys are elsewhere knows them only once it has signed.
    var publicKeys: [JWK] { get }

    /// Signs a payload with RS256.
    ///
    /// - Returns: The token, and the key that verifies it.
    func sign(payload: [UInt8]) async throws -> SignedToken
}
