package import TokenMinting

/// A signer that refuses signatures over the limit.
package struct GatedSigner: TokenSignerDecorator {
    package let signer: any TokenSigner
    let gate: SignatureGate

    /// Creates a signer whose signatures pass a gate.
    package init(signer: any TokenSigner, gate: SignatureGate) {
        self.signer = signer
        self.gate = gate
    }

    package func sign(payload: [UInt8]) async throws -> SignedToken {
        try await gate.pass { try await signer.sign(payload: payload) }
    }
}
