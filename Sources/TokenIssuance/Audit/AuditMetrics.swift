package import ServiceSupport

/// The metrics of the audit trail.
package struct AuditMetrics: Sendable {
    /// Lines, by destination and result.
    package let writes: MetricTable<Counter, LabelPair<AuditSinkLabel, AuditResultLabel>>
    /// Whether the trail is stalled.
    package let stalled: Gauge
    /// The lines of each write.
    package let batchLines: Histogram
    /// The time that the first request of each write waited.
    package let wait: Histogram

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry) {
        writes = MetricTable(
            "fleet_token_audit_write_total",
            help: "Audit lines, by destination and result.",
            in: registry
        )
        stalled = registry.series(
            "fleet_token_audit_stalled",
            help: "1 while a write of the audit trail takes longer than three seconds."
        )
        batchLines = Histogram(bounds: Histogram.sizes)
        registry.add("fleet_token_audit_batch_lines", help: "Audit lines per write.", [([], batchLines)])
        wait = registry.series(
            "fleet_token_audit_wait_seconds",
            help: "Time from the first audit line of a batch to the end of its write."
        )
    }
}

/// The kind of sink that audit lines are written to.
package enum AuditSinkLabel: String, MetricLabel {
    case file
    case standardOutput = "stdout"

    package static let labelName = "sink"
}

/// Whether an audit line was written.
package enum AuditResultLabel: String, MetricLabel {
    case written
    case failed
    /// It was not accepted, withdrawn or late.
    case refused

    package static let labelName = "result"
}
