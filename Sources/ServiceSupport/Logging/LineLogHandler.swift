import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes each event as one line.
///
/// Of errors, only a ``LoggableError`` has its text in the log.
struct LineLogHandler: LogHandler {
    /// How lines are written, each with a line feed only at its end.
    enum Format: Sendable {
        /// For machines: one JSON object a line, with these attributes of the process in OpenTelemetry's conventions.
        case json(resource: [(name: String, value: String)] = [])
        /// For people, in development.
        case plain
    }

    /// Gets each complete line, including the line feed, and whether it is about a request that has ended.
    typealias Sink = @Sendable (_ line: [UInt8], _ isRequest: Bool) -> Void

    let label: String
    let format: Format
    let clock: ServiceClock
    /// The level of all loggers, unless one has its own.
    let level: LogLevel
    let sink: Sink
    private var ownLevel: Logger.Level?

    var logLevel: Logger.Level {
        get { ownLevel ?? level.value }
        set { ownLevel = newValue }
    }

    var metadata: Logger.Metadata = [:]
    /// Not used: the service's loggers have none.
    var metadataProvider: Logger.MetadataProvider?

    init(
        label: String = "tokend",
        _ format: Format,
        level: LogLevel,
        clock: ServiceClock = .system,
        sink: @escaping Sink
    ) {
        self.label = label
        self.format = format
        self.level = level
        self.clock = clock
        self.sink = sink
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var event = event
        event.metadata = event.metadata.map { metadata.merging($0) { $1 } } ?? metadata
        sink(line(event), event.metadata?[.httpRequest] != nil)
    }

    /// Returns the line of an event, which is now.
    func line(_ event: LogEvent) -> [UInt8] {
        switch format {
        case .json(let resource): json(event, resource)
        case .plain: plain(event)
        }
    }

    /// Returns a time as RFC 3339 has it, in UTC, to the nearest millisecond.
    static func timestamp(_ time: Date) -> String {
        // The style truncates below a millisecond, and a Date is a binary fraction, slightly above or below.
        time.addingTimeInterval(0.000_5).formatted(timestampStyle)
    }

    private static let timestampStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
