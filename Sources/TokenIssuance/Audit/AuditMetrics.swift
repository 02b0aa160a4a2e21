package import Metrics

/// The metrics of an audit trail.
package struct AuditMetrics: Sendable {
    /// The kind of sink that lines are written to.
    package enum Sink: String {
        case file
        case standardOutput = "stdout"
    }

    /// The lines that were written.
    let written: Counter
    /// The lines that could not be written, and the checks that failed.
    let failed: Counter
    /// The lines that were refused at once, or not written in time, and the checks that found the trail slow.
    let refused: Counter

    package init(sink: Sink, factory: any MetricsFactory) {
        func lines(_ result: String) -> Counter {
            let labels = [("sink", sink.rawValue), ("result", result)]
            return Counter(label: "fleet_token_audit_write_total", dimensions: labels, factory: factory)
        }
        written = lines("written")
        failed = lines("failed")
        refused = lines("refused")
    }
}
