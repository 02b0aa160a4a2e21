package import TokenMinting

/// A signer whose signatures wait for their turn: for those that are made elsewhere.
package struct QueuedSigner: TokenSignerDecorator {
    package let signer: any TokenSigner
    let admission: Admission

    /// Creates a signer whose signatures pass an admission.
    package init(signer: any TokenSigner, admission: Admission) {
        self.signer = signer
        self.admission = admission
    }

    package func sign(payload: [UInt8], for flow: Flow) async throws -> SignedToken {
        try await admission.run(for: flow) { try await signer.sign(payload: payload, for: flow) }
    }
}
