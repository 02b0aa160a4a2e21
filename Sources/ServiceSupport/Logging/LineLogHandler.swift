import Logging

/// Writes each event as one line.
///
/// Of errors, only a ``LoggableError`` has its text in the log.
struct LineLogHandler: LogHandler {
    /// Gets each complete line, including the line feed, and whether it is about a request that has ended.
    typealias Sink = @Sendable (_ line: [UInt8], _ isRequest: Bool) -> Void

    let label: String
    let format: LogFormat
    let sink: Sink
    let clock: ServiceClock
    /// The level of all loggers, unless one has its own.
    let level: LogLevel
    private var ownLevel: Logger.Level?

    var logLevel: Logger.Level {
        get { ownLevel ?? level.value }
        set { ownLevel = newValue }
    }

    var metadata: Logger.Metadata = [:]
    /// Not used: the service's loggers have none.
    var metadataProvider: Logger.MetadataProvider?

    init(label: String, format: LogFormat, sink: @escaping Sink, clock: ServiceClock, level: LogLevel) {
        self.label = label
        self.format = format
        self.sink = sink
        self.clock = clock
        self.level = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let record = LogRecord(
            time: clock.date,
            label: label,
            level: event.level,
            message: event.message.description,
            error: event.error,
            metadata: event.metadata.map { metadata.merging($0) { $1 } } ?? metadata
        )
        sink(format.line(record), record.metadata[.httpRequest] != nil)
    }
}
