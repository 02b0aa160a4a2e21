package import JOSE
import Telemetry
package import TokenMinting

/// A signer that counts how long it takes.
package struct MeasuredSigner: TokenSigner {
    let signer: any TokenSigner
    let label: SignerLabel
    let metrics: IssuanceMetrics

    /// Creates a value of these parts.
    package init(signer: any TokenSigner, label: SignerLabel, metrics: IssuanceMetrics) {
        self.signer = signer
        self.label = label
        self.metrics = metrics
    }

    package var issuer: String { signer.issuer }
    package var publicKeys: [JWK] { signer.publicKeys }
    package var isRemote: Bool { signer.isRemote }

    package func sign(payload: [UInt8]) async throws -> SignedToken {
        let start = ContinuousClock.now
        var result = SignResultLabel.failed
        defer { metrics.signDuration[label, result].record(start.duration(to: .now)) }
        let token = try await signer.sign(payload: payload)
        result = .signed
        return token
    }
}
