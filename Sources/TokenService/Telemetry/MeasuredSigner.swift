import JOSE
import Metrics
import TokenMinting

/// A signer that counts how long it takes.
struct MeasuredSigner: TokenSigner {
    let signer: any TokenSigner
    let label: SignerLabel
    let metrics: ServiceMetrics

    var issuer: String { signer.issuer }
    var publicKeys: [JWK] { signer.publicKeys }
    var isElsewhere: Bool { signer.isElsewhere }

    func sign(payload: [UInt8]) async throws -> SignedToken {
        let start = ContinuousClock.now
        var result = SignResultLabel.failed
        defer { metrics.signDuration[label, result].record(duration: start.duration(to: .now)) }
        let token = try await signer.sign(payload: payload)
        result = .signed
        return token
    }
}
