import Logging
import ServiceSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes a complete line, including the line feed.
typealias LogSink = @Sendable (_ line: [UInt8]) -> Void

/// Writes each event as one line.
struct LineLogHandler<Format: LogLineFormat>: LogHandler {
    let label: String
    let format: Format
    let sink: LogSink
    let clock: ServiceClock

    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(label: String, format: Format, sink: @escaping LogSink, clock: ServiceClock) {
        self.label = label
        self.format = format
        self.sink = sink
        self.clock = clock
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
