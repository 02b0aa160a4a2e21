import Logging

/// Writes each event as one line.
///
/// Of errors, only a ``LoggableError`` has its text in the log.
struct LineLogHandler: LogHandler {
    let label: String
    let format: LogFormat
    /// Gets each complete line, including the line feed.
    let sink: @Sendable (_ line: [UInt8]) -> Void
    let clock: ServiceClock
    let level: LogLevel

    /// The level, which copies of a logger share.
    var logLevel: Logger.Level {
        get { level.value }
        set { level.value = newValue }
    }

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

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
            metadata: metadata(with: event.metadata ?? [:])
        )
        sink(format.line(record))
    }

    /// Returns all metadata of an event; metadata closer to the call takes precedence.
    private func metadata(with explicit: Logger.Metadata) -> Logger.Metadata {
        let provided = metadataProvider?.get() ?? [:]
        if metadata.isEmpty, provided.isEmpty { return explicit }
        return metadata.merging(provided) { $1 }.merging(explicit) { $1 }
    }
}
