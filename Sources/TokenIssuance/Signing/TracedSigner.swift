package import Telemetry
package import TokenMinting
import Tracing

/// A signer that records each signature as a span.
struct TracedSigner: TokenSignerDecorator {
    let signer: any TokenSigner
    let label: SignerLabel
    let spans: SpanRecorder

    func sign(payload: [UInt8]) async throws -> SignedToken {
        try await spans.record("sign", .internal, ["fleet_token.signer": .string(label.rawValue)]) { _ in
            try await signer.sign(payload: payload)
        }
    }
}

extension TokenSigner {
    /// Returns a signer that also records spans, if there is a recorder.
    package func traced(as label: SignerLabel, by spans: SpanRecorder?) -> any TokenSigner {
        spans.map { TracedSigner(signer: self, label: label, spans: $0) } ?? self
    }
}
