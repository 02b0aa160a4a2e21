import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content of a log line.
struct LogRecord {
    let time: Date
    let label: String
    let level: Logger.Level
    let message: String
    var error: (any Error)?
    let metadata: Logger.Metadata

    /// The request's attributes, in the order of their declaration.
    var attributes: [(name: String, value: Logger.MetadataValue)] {
        RequestAttribute.allCases.compactMap { attribute in metadata[attribute].map { (attribute.rawValue, $0) } }
    }

    /// All metadata but the request's attributes.
    var otherMetadata: Logger.Metadata { metadata.filter { RequestAttribute(rawValue: $0.key) == nil } }

    /// The time as RFC 3339 has it, in UTC, to the nearest millisecond.
    var timestamp: String {
        // The style truncates below a millisecond, and a Date is a binary fraction, slightly above or below.
        time.addingTimeInterval(0.000_5).formatted(Self.timestampStyle)
    }

    private static let timestampStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
