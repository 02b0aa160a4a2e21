package import Telemetry
package import TokenMinting

/// A signer that measures its duration.
package struct MeasuredSigner: TokenSignerDecorator {
    package let signer: any TokenSigner
    let label: SignerLabel
    let durations: MetricTable<Histogram, LabelPair<SignerLabel, SignResultLabel>>

    /// Creates a signer that records the durations of another.
    package init(
        signer: any TokenSigner,
        label: SignerLabel,
        durations: MetricTable<Histogram, LabelPair<SignerLabel, SignResultLabel>>
    ) {
        self.signer = signer
        self.label = label
        self.durations = durations
    }

    package func sign(payload: [UInt8]) async throws -> SignedToken {
        let start = ContinuousClock.now
        var result = SignResultLabel.failed
        defer { durations[label, result].record(start.duration(to: .now)) }
        let token = try await signer.sign(payload: payload)
        result = .signed
        return token
    }
}
