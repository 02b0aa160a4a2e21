package import Logging

extension Logger {
    /// Returns the service's logger: JSON, with requests on standard output and all else on standard error.
    ///
    /// - Parameter level: The least level that is written, which can change.
    /// - Returns: The logger.
    package static func service(level: LogLevel) -> Logger {
        let format = LogFormat.service()
        for stream in [LineWriter.standardOutput, .standardError] {
            stream.reportDrops { count in
                format.line(
                    LogRecord(
                        time: ServiceClock.system.date,
                        label: "tokend",
                        level: .warning,
                        message: "Log lines were dropped. The reader of this stream is too slow.",
                        metadata: ["count": .stringConvertible(count)]
                    )
                )
            }
        }
        return Logger(level: level, format: format) { line, isRequest in
            (isRequest ? LineWriter.standardOutput : .standardError).writeLine(line)
        }
    }

    /// Returns the logger of development: lines for people on standard error.
    package static func development(level: LogLevel) -> Logger {
        Logger(level: level, format: .plain) { line, _ in LineWriter.standardError.writeLine(line) }
    }

    /// Creates a logger of this service, without `LoggingSystem.bootstrap`.
    init(
        label: String = "tokend",
        level: LogLevel,
        format: LogFormat,
        clock: ServiceClock = .system,
        sink: @escaping LineLogHandler.Sink
    ) {
        self.init(label: label) { LineLogHandler(label: $0, format: format, sink: sink, clock: clock, level: level) }
    }
}
