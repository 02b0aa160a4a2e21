package import FleetToken
package import JOSE
import ServiceSupport

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
    ///   - caller: The caller whose turn it uses, where signatures wait; nil for the service itself, which tests its keys.
    /// - Returns: The token, and the key that verifies it.
    /// - Throws: ``AdmissionRefusal`` if it may not wait for its turn, or the reason for which there is no signature.
    func sign(payload: [UInt8], for caller: String?) async throws -> SignedToken
}

extension TokenSigner {
    /// True by default: results of a signer are verified unless it opts out.
    package var isRemote: Bool { true }
}

/// A payload signed by a signer.
package struct SignedToken: Sendable {
    /// The compact JWS.
    package let token: Secret
    /// The public key that verifies it, under the `kid` that it was signed with.
    package let jwk: JWK
}

/// Why keys are unavailable or unusable.
///
/// Its text is for the operator, never for a caller.
package struct MintingError: LoggableError, Hashable {
    /// The problem and its solution, without any part of a key or token.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
