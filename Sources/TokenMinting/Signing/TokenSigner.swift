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

    /// Signs a payload with RS256.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - flow: The caller that the signature is for, where signatures wait for their turn.
    /// - Returns: The token, and the key that verifies it.
    /// - Throws: ``AdmissionRefusal`` if it may not wait for its turn, or the reason for which there is no signature.
    func sign(payload: [UInt8], for flow: Flow) async throws -> SignedToken
}

extension TokenSigner {
    /// True by default: results of a signer are verified unless it opts out.
    package var isRemote: Bool { true }
}
