import JOSE
package import Telemetry

/// The metrics of signatures that are made several at once.
package final class BatchMetrics: Sendable {
    /// Batches, by the number of signatures.
    private let batches: MetricTable<Counter, BatchSizeLabel>
    private let duration: Histogram
    private let wasted: Counter
    /// Wrong signatures.
    let faults: Counter
    private let showStatus: @Sendable ([[(name: String, value: String)]]) -> Void

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry) {
        batches = MetricTable(
            "fleet_token_sign_batches_total",
            help: "Batches of signatures, by the number of signatures.",
            in: registry
        )
        for label in BatchSizeLabel.allCases { _ = batches[label] }
        duration = registry.series(
            "fleet_token_sign_batch_duration_seconds",
            help: "CPU time of a batch of signatures, including its verification."
        )
        wasted = registry.series(
            "fleet_token_sign_lanes_wasted_total",
            help: "Unused places in batches of eight signatures."
        )
        faults = registry.series(
            "fleet_token_sign_lanes_wrong_total",
            help: "Signatures of batches that were invalid and were recomputed with libcrypto."
        )
        showStatus = registry.info(
            "fleet_token_sign_batch_info",
            help: "Batch signing: in use or not, and why; always 1."
        )
    }

    func record(count: Int, nanoseconds: Int64) {
        duration.record(.nanoseconds(nanoseconds))
        wasted.increment(by: RSABatch.count - count)
        if let label = BatchSizeLabel(rawValue: String(count)) { batches[label].increment() }
    }

    /// Shows whether batch signing is in use, and why.
    func show(_ reason: some MetricLabel, isInUse: Bool) {
        showStatus([[("in_use", isInUse ? "yes" : "no"), ("reason", reason.labelValue)]])
    }
}

/// The number of signatures in a batch; libcrypto makes fewer.
enum BatchSizeLabel: String, MetricLabel {
    case three = "3"
    case four = "4"
    case five = "5"
    case six = "6"
    case seven = "7"
    case eight = "8"

    static let labelName = "signatures"
}
