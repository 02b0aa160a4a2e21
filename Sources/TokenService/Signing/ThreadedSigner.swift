import TokenMinting

/// A signer with a key in memory, on threads that do nothing else.
struct ThreadedSigner: TokenSignerDecorator {
    let signer: LocalSigner
    let threads: SigningThreads

    func sign(payload: [UInt8]) async throws -> SignedToken {
        try await threads.run { try signer.sign(payload: payload) }
    }
}
