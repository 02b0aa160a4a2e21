import CoreMetrics

/// Counts the lines that an audit sink writes.
struct MeasuredAuditSink: AuditSink {
    let sink: any AuditSink
    let label: AuditSinkLabel
    let writes: MetricTable<Counter, LabelPair<AuditSinkLabel, AuditResultLabel>>

    /// Declares the metric in a registry.
    init(_ sink: any AuditSink, label: AuditSinkLabel, registry: PrometheusRegistry) {
        self.sink = sink
        self.label = label
        writes = MetricTable(
            counter: "fleet_token_audit_write_total",
            help: "Lines of the audit trail, by where they go and whether they could be written.",
            in: registry
        )
        for result in AuditResultLabel.allCases { _ = writes[label, result] }
    }

    func lastLine() throws -> [UInt8]? { try sink.lastLine() }

    func write(_ line: [UInt8]) throws {
        var result = AuditResultLabel.failed
        defer { writes[label, result].increment() }
        try sink.write(line)
        result = .written
    }

    func check() throws { try sink.check() }
}

/// Where audit lines go.
enum AuditSinkLabel: String, MetricLabel {
    case file
    case standardOutput = "stdout"

    static let labelName = "sink"
}

/// Whether an audit line was written.
enum AuditResultLabel: String, MetricLabel {
    case written
    case failed

    static let labelName = "result"
}
