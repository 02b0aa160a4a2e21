/// How a log line is written.
protocol LogLineFormat: Sendable {
    /// The line, with the line feed at its end and none before it.
    func line(_ record: LogRecord) -> [UInt8]
}
