package import JOSE
package import TokenMinting

/// A signer that refuses what would be one signature too many.
package struct GatedSigner: TokenSigner {
    let signer: any TokenSigner
    let gate: SignatureGate

    /// Creates a value of these parts.
    package init(signer: any TokenSigner, gate: SignatureGate) {
        self.signer = signer
        self.gate = gate
    }

    package var issuer: String { signer.issuer }
    package var publicKeys: [JWK] { signer.publicKeys }
    package var isRemote: Bool { signer.isRemote }

    package func sign(payload: [UInt8]) async throws -> SignedToken {
        try await gate.pass { try await signer.sign(payload: payload) }
    }
}
