package import JOSE

/// Something that signs payloads for one service account.
package protocol TokenSigner: Sendable {
    /// `iss` and `sub` of signed tokens.
    var issuer: String { get }

    /// The known public keys that may verify its signatures; for publication.
    ///
    /// A signer whose keys are elsewhere knows them only once it has signed.
    var publicKeys: [JWK] { get }

    /// Whether the signature is made outside this process, and therefore verified before it is used.
    var isRemote: Bool { get }

    /// The gate that its signatures pass; nil for a single signature, as in a check.
    var gate: FairGate? { get }

    /// Signs a payload with RS256.
    ///
    /// - Returns: The token, and the key that verifies it.
    /// - Throws: The reason for which there is no signature.
    func sign(payload: [UInt8]) async throws -> SignedToken
}

extension TokenSigner {
    /// True by default: results of a signer are verified unless it opts out.
    package var isRemote: Bool { true }

    /// None by default.
    package var gate: FairGate? { nil }
}
