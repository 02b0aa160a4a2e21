package import Telemetry
package import TokenMinting
import Tracing

/// A signer that records each signature as a span.
package struct TracedSigner: TokenSignerDecorator {
    package let signer: any TokenSigner
    let label: SignerLabel
    let spans: SpanRecorder

    /// Creates a signer that records the signatures of another.
    package init(signer: any TokenSigner, label: SignerLabel, spans: SpanRecorder) {
        self.signer = signer
        self.label = label
        self.spans = spans
    }

    package func sign(payload: [UInt8]) async throws -> SignedToken {
        try await spans.record("sign", .internal, ["fleet_token.signer": .string(label.rawValue)]) { _ in
            try await signer.sign(payload: payload)
        }
    }
}
