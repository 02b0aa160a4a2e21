package import ServiceSupport
package import Telemetry
package import TokenMinting

/// A signer that measures its duration.
package struct MeasuredSigner: TokenSignerDecorator {
    package let signer: any TokenSigner
    let label: SignerLabel
    let durations: MetricTable<Histogram, LabelPair<SignerLabel, SignResultLabel>>
    let clock: ServiceClock

    /// Creates a signer that records the durations of another.
    package init(
        signer: any TokenSigner,
        label: SignerLabel,
        durations: MetricTable<Histogram, LabelPair<SignerLabel, SignResultLabel>>,
        clock: ServiceClock
    ) {
        self.signer = signer
        self.label = label
        self.durations = durations
        self.clock = clock
    }

    package func sign(payload: [UInt8], for flow: Flow) async throws -> SignedToken {
        let start = clock.monotonic
        do {
            let token = try await signer.sign(payload: payload, for: flow)
            measure(.signed, since: start)
            return token
        } catch {
            measure(.failed, since: start)
            throw error
        }
    }

    private func measure(_ result: SignResultLabel, since start: Int64) {
        durations[label, result].record(clock.duration(since: start))
    }
}
