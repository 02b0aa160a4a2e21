import ServiceSupport

/// The destination of audit lines.
///
/// Only one thread at a time uses it, and each call may block.
package protocol AuditSink: Sendable {
    /// Returns the last line without its newline; nil if there is none or if it cannot be read back.
    func lastLine() throws -> [UInt8]?

    /// Writes lines with their newlines, all of them completely or none.
    func write(_ bytes: [UInt8], lines: Int) throws

    /// Throws an error if a line could not be written now.
    func check() throws
}

/// Counts the lines that an audit sink writes.
package struct MeasuredAuditSink: AuditSink {
    private let sink: any AuditSink
    private let label: AuditSinkLabel
    /// Counters for lines that do not reach the sink.
    package let events: AuditWriting.Events
    private let writes: MetricTable<Counter, LabelPair<AuditSinkLabel, AuditResultLabel>>

    /// Creates a sink, with its counters at zero, so that `rate()` sees the first failure.
    package init(_ sink: any AuditSink, label: AuditSinkLabel, metrics: AuditMetrics) {
        self.sink = sink
        self.label = label
        writes = metrics.writes
        for result in AuditResultLabel.allCases { _ = writes[label, result] }
        let (stalled, batchLines, wait) = (metrics.stalled, metrics.batchLines, metrics.wait)
        var events = AuditWriting.Events()
        events.refused = { [writes] in writes[label, .refused].increment(by: $0) }
        events.stalled = { stalled.set($0 ? 1 : 0) }
        events.written = { lines, waited in
            batchLines.record(lines)
            wait.record(waited)
        }
        self.events = events
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
