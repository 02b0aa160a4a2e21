package import Logging

extension Logger {
    /// Returns the service's logger on standard error: readable lines on a terminal, otherwise JSON.
    ///
    /// - Parameters:
    ///   - level: The least level that is written, which can change.
    ///   - isTerminal: Whether standard error is a terminal.
    /// - Returns: A logger whose lines hold no control character.
    package static func service(level: LogLevel, isTerminal: Bool) -> Logger {
        let format = LogFormat(isTerminal: isTerminal)
        LineWriter.standardError.reportDrops { count in
            format.line(
                LogRecord(
                    time: ServiceClock.system.date,
                    label: "tokend",
                    level: .warning,
                    message: "Log lines were dropped. The reader of standard error is too slow.",
                    metadata: ["count": .stringConvertible(count)]
                )
            )
        }
        return Logger(label: "tokend", level: level, format: format, sink: LineWriter.standardError.writeLine)
    }

    /// Creates a logger of this service, without `LoggingSystem.bootstrap`.
    init(
        label: String,
        level: LogLevel,
        format: LogFormat,
        sink: @escaping @Sendable (_ line: [UInt8]) -> Void,
        clock: ServiceClock = .system
    ) {
        self.init(label: label) { LineLogHandler(label: $0, format: format, sink: sink, clock: clock, level: level) }
    }
}
