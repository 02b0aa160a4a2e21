import JOSE
import TokenMinting

/// A signer with a key in memory, on threads that do nothing else.
struct ThreadedSigner: TokenSigner {
    let signer: LocalSigner
    let threads: SigningThreads

    var issuer: String { signer.issuer }
    var publicKeys: [JWK] { signer.publicKeys }
    var isRemote: Bool { signer.isRemote }

    func sign(payload: [UInt8]) async throws -> SignedToken {
        try await threads.run { try signer.sign(payload: payload) }
    }
}
