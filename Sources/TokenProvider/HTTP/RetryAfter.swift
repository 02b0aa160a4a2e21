import FleetToken

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The `Retry-After` header field: a number of seconds or a date (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// The longest wait that a server can impose: an hour.
    ///
    /// A mistyped figure must not stop an app for a day.
    static let maximum: TimeInterval = 3600

    /// Reads the field.
    ///
    /// - Parameters:
    ///   - field: The field's value.
    ///   - date: What the server's clock showed when it answered. The device's clock may be wrong by days.
    /// - Returns: The seconds to wait, from 0 to ``maximum``; nil when there is no field or it makes no sense.
    static func seconds(_ field: String?, date: NumericDate) -> TimeInterval? {
        let value = field.map { trimmed($0.utf8) } ?? ""
        guard !value.utf8.isEmpty else { return nil }
        if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // Digits that don't fit are a very long wait, not no wait.
            return Int64(value).map { min(TimeInterval($0), maximum) } ?? maximum
        }
        return HTTPDate.parse(value).map { min(max(TimeInterval($0 - date), 0), maximum) }
    }

    private static func trimmed(_ text: String.UTF8View) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let start = text.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }.map { start.index(after: $0) } ?? start.startIndex
        return String(decoding: start[..<end], as: UTF8.self)
    }
}
