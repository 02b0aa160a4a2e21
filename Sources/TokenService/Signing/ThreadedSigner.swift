import TokenMinting

/// A signer with a key in memory, on threads that do nothing else.
struct ThreadedSigner: TokenSignerDecorator {
    let signer: LocalSigner
    private let threads: SigningThreads
    /// The key for batches; its numbers are wiped with the last copy of this signer.
    private let key: LaneKey?

    /// Creates a signer; its key is tried for batches.
    init(signer: LocalSigner, threads: SigningThreads) {
        self.signer = signer
        self.threads = threads
        key = threads.batches.laneKey(for: signer.key)
    }

    func sign(payload: [UInt8]) async throws -> SignedToken {
        try await threads.sign(payload, by: signer, key)
    }
}
