package import JOSE

/// Something that signs payloads for one service account.
package protocol TokenSigner: Sendable {
    /// `iss` and `sub` of what it signs.
    var issuer: String { get }

    /// The public keys that may verify what it signs, as far as they are known now; for publication.
    ///
    /// A signer whose keys are elsewhere knows them only once it has signed.
    var publicKeys: [JWK] { get }

    /// Whether what it returns is made by something else, and therefore verified before it is handed out.
    var isRemote: Bool { get }

    /// Signs a payload with RS256.
    ///
    /// - Returns: The token, and the key that verifies it.
    func sign(payload: [UInt8]) async throws -> SignedToken
}

extension TokenSigner {
    /// True: who wants to be believed says so.
    package var isRemote: Bool { true }
}
