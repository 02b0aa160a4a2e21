import TokenIssuance
import TokenMinting

/// A signer with a key in memory, on threads that do nothing else.
struct ThreadedSigner: TokenSignerDecorator {
    let signer: LocalSigner
    private let threads: SigningThreads
    private let limits: AdmissionLimits
    /// The key for batches; its numbers are wiped with the last copy of this signer.
    private let key: BatchKey?

    /// Creates a signer; its key is tried for batches.
    ///
    /// - Parameters:
    ///   - signer: Signs.
    ///   - threads: The threads.
    ///   - limits: What may wait for them.
    init(signer: LocalSigner, threads: SigningThreads, limits: AdmissionLimits = AdmissionLimits()) {
        self.signer = signer
        self.threads = threads
        self.limits = limits
        key = threads.batches.batchKey(for: signer.key)
        threads.assumeMeasuredDuration()
    }

    func sign(payload: [UInt8], for flow: Flow) async throws -> SignedToken {
        try await threads.sign(payload, by: signer, key, for: flow, within: limits)
    }
}
