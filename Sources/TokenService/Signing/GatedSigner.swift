import JOSE
import TokenMinting

/// A signer that refuses what would be one signature too many.
struct GatedSigner: TokenSigner {
    let signer: any TokenSigner
    let gate: SignatureGate

    var issuer: String { signer.issuer }
    var publicKeys: [JWK] { signer.publicKeys }
    var isElsewhere: Bool { signer.isElsewhere }

    func sign(payload: [UInt8]) async throws -> SignedToken {
        try await gate.pass { try await signer.sign(payload: payload) }
    }
}
