import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content of a log line, before escaping, redaction and truncation.
struct LogRecord {
    let time: Date
    let label: String
    let level: Logger.Level
    let message: String
    let error: (any Error)?
    let metadata: Logger.Metadata

    /// The request's attributes, in the order of their declaration.
    var attributes: [Logger.Metadata.Member] {
        RequestAttribute.allCases.compactMap { attribute in
            metadata[attribute.rawValue].map { (attribute.rawValue, $0) }
        }
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

extension Logger.Metadata {
    typealias Member = (name: String, value: Logger.MetadataValue)
}

extension Sequence<Logger.Metadata.Element> {
    /// Returns the members sorted by name.
    func inOrder() -> [Logger.Metadata.Member] {
        sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// How a log line is written.
protocol LogLineFormat: Sendable {
    /// Returns the line, with a line feed only at its end.
    func line(_ record: LogRecord) -> [UInt8]
}
