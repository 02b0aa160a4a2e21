/// The format of a log line.
protocol LogLineFormat: Sendable {
    /// Returns the line, with a line feed only at its end.
    func line(_ record: LogRecord) -> [UInt8]
}
