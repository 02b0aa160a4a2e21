package import FleetToken
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

/// A payload signed by a signer.
package struct SignedToken: Sendable {
    /// The compact JWS.
    package let token: Secret
    /// The public key that verifies it, under the `kid` that it was signed with.
    package let jwk: JWK

    /// Creates a signed token with its key.
    package init(token: Secret, jwk: JWK) {
        self.token = token
        self.jwk = jwk
    }
}

/// The caller that a signature is for, and its subject: callers take turns, and within a caller its subjects.
package struct Flow: Sendable, Hashable {
    /// The caller's name in the configuration.
    package let caller: String
    /// The caller's subject: a JWT's `sub`, an API key's ID, a certificate's name.
    package let subject: String

    /// The service itself, which tests its keys; it has no name that a caller can have.
    package static let service = Flow(caller: "", subject: "")

    /// Creates the flow of a caller's subject.
    package init(caller: String, subject: String) {
        self.caller = caller
        self.subject = subject
    }
}
