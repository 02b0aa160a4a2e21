package import ServiceSupport

/// The metrics of signatures.
package struct SigningMetrics: Sendable {
    /// The duration of signatures, without the time in the queue.
    package let durations: MetricTable<Histogram, LabelPair<SignerLabel, SignResultLabel>>
    /// The time that signatures wait for their turn.
    package let delays: MetricTable<Histogram, SignerLabel>

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry) {
        durations = MetricTable(
            "fleet_token_sign_duration_seconds",
            help: "Duration of signing, without the time in the queue.",
            in: registry
        )
        delays = MetricTable(
            "fleet_token_sign_queue_seconds",
            help: "Time in the signing queue, by signer.",
            in: registry
        )
    }

    /// Records a signature, or the failure to make one.
    func record<Signed>(_ result: Result<Signed, any Error>, of signer: SignerLabel, after duration: Duration) {
        let label: SignResultLabel = if case .success = result { .signed } else { .failed }
        durations[signer, label].record(duration)
    }
}

/// The kind of signer.
package enum SignerLabel: String, MetricLabel {
    /// A key in this process.
    case local
    /// Google's IAM Credentials API.
    case iam

    package static let labelName = "signer"
}

/// The result of a signature.
package enum SignResultLabel: String, MetricLabel {
    case signed
    case failed

    package static let labelName = "result"
}
