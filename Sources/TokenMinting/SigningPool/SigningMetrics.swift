import Metrics

/// The metrics of a signer.
struct SigningMetrics {
    /// The duration of signatures, without the time in the queue.
    private let signed: Timer
    /// The duration of failed attempts.
    private let failed: Timer
    /// The time that signatures wait for their turn.
    let queue: Timer

    init(_ signer: SignerLabel, factory: any MetricsFactory) {
        let label = ("signer", signer.rawValue)
        func duration(_ result: String) -> Timer {
            Timer(
                label: "fleet_token_sign_duration_seconds",
                dimensions: [label, ("result", result)],
                factory: factory
            )
        }
        signed = duration("signed")
        failed = duration("failed")
        queue = Timer(label: "fleet_token_sign_queue_seconds", dimensions: [label], factory: factory)
    }

    /// Records a signature, or the failure to make one.
    func record<Signed>(_ result: Result<Signed, any Error>, after duration: Duration) {
        switch result {
        case .success: signed.record(duration: duration)
        case .failure: failed.record(duration: duration)
        }
    }
}

/// The kind of signer.
enum SignerLabel: String {
    /// A key in this process.
    case local
    /// Google's IAM Credentials API.
    case iam
}
