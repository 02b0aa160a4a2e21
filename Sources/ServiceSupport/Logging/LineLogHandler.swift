package import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes each event as one line.
struct LineLogHandler: LogHandler {
    let label: String
    let format: LogFormat
    /// Gets each complete line, including the line feed.
    let sink: @Sendable (_ line: [UInt8]) -> Void
    let clock: ServiceClock

    var logLevel: Logger.Level = .info
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

/// The content of a log line, before escaping, redaction and truncation.
struct LogRecord {
    let time: Date
    let label: String
    let level: Logger.Level
    let message: String
    var error: (any Error)?
    let metadata: Logger.Metadata

    /// The request's attributes, in the order of their declaration.
    var attributes: [Logger.Metadata.Member] {
        RequestAttribute.allCases.compactMap { attribute in metadata[attribute].map { (attribute.rawValue, $0) } }
    }

    /// All metadata but the request's attributes, in the order of their names.
    var otherMetadata: [Logger.Metadata.Member] {
        metadata.lazy.filter { RequestAttribute(rawValue: $0.key) == nil }.inOrder()
    }

    /// The time as RFC 3339 has it, in UTC, to the nearest millisecond.
    var timestamp: String {
        // The style truncates below a millisecond, and a Date is a binary fraction, slightly above or below.
        time.addingTimeInterval(0.000_5).formatted(Self.timestampStyle)
    }

    private static let timestampStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// The metadata that describes a request: named as in OpenTelemetry's conventions, and shown next to the message,
/// separate from other metadata.
///
/// In production there is no `url.path`, which contains an ID, and no `server.address`, which the client controls.
package enum RequestAttribute: String, CaseIterable {
    case requestID = "request_id"
    case traceID = "trace_id"
    /// The caller's span: this service has none of its own.
    case spanID = "span_id"
    case traceFlags = "trace_flags"
    case method = "http.request.method"
    case route = "http.route"
    /// The request's path, in development only.
    case path = "url.path"
    case status = "http.response.status_code"
    /// In seconds.
    case duration = "http.server.request.duration"
    case clientAddress = "client.address"
    /// The caller's name in the configuration; after a failed authentication, whose credentials came closest.
    case caller = "fleet_token.caller"
    case errorType = "error.type"
    /// The limit that was reached, as its setting in the configuration.
    case limit = "fleet_token.limit"
}

extension Logger.Metadata {
    typealias Member = (name: String, value: Logger.MetadataValue)

    /// The value of an attribute of the request.
    package subscript(attribute: RequestAttribute) -> Logger.MetadataValue? {
        get { self[attribute.rawValue] }
        set { self[attribute.rawValue] = newValue }
    }
}

extension Sequence<Logger.Metadata.Element> {
    /// Returns the members sorted by name.
    func inOrder() -> [Logger.Metadata.Member] {
        sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
