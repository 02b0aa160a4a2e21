import Telemetry

/// Counts the lines that an audit sink writes.
package struct MeasuredAuditSink: AuditSink {
    private let sink: any AuditSink
    private let label: AuditSinkLabel
    private let writes: MetricTable<Counter, LabelPair<AuditSinkLabel, AuditResultLabel>>

    /// A sink, with its counters at zero, so that `rate()` sees even the first failure.
    package init(_ sink: any AuditSink, label: AuditSinkLabel, metrics: IssuanceMetrics) {
        self.sink = sink
        self.label = label
        writes = metrics.auditWrites
        for result in AuditResultLabel.allCases { _ = writes[label, result] }
    }

    package func lastLine() throws -> [UInt8]? { try sink.lastLine() }

    package func write(_ bytes: [UInt8], lines: Int) throws {
        var result = AuditResultLabel.failed
        defer { writes[label, result].increment(by: lines) }
        try sink.write(bytes, lines: lines)
        result = .written
    }

    package func check() throws { try sink.check() }
}

/// Where audit lines go.
package enum AuditSinkLabel: String, MetricLabel {
    case file
    case standardOutput = "stdout"

    static let labelName = "sink"
}

/// Whether an audit line was written.
package enum AuditResultLabel: String, MetricLabel {
    case written
    case failed

    static let labelName = "result"
}
