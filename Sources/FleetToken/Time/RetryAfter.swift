import StrictCoding

/// The `Retry-After` header field: a number of seconds or a date (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// The maximum delay that a server can request: an hour.
    ///
    /// A mistyped number must not stop an app for a day.
    package static let maximum: Double = 3600

    /// Parses the field.
    ///
    /// - Parameters:
    ///   - field: The field's value.
    ///   - date: The time of the response by the server's clock, because the local clock may be wrong by days; nil if
    ///     it is unknown, so that a date cannot be interpreted.
    ///   - maximum: The maximum delay that this server can request, in seconds.
    /// - Returns: The delay in seconds, from 0 to `maximum`; nil if the field is missing or invalid.
    package static func seconds(_ field: String?, date: NumericDate?, maximum: Double = RetryAfter.maximum) -> Double? {
        let value = field.map { trimmed($0.utf8) } ?? ""
        // Digits that don't fit are a very long delay, not none.
        if isNumber(value.utf8) { return min(Double(value) ?? maximum, maximum) }
        guard let date, let end = HTTPDate.parse(value) else { return nil }
        return min(max(Double(end - date), 0), maximum)
    }

    /// Returns whether a text consists of digits, optionally with a fraction, which is nonstandard but does occur.
    private static func isNumber(_ text: String.UTF8View) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy(\.isASCIIDigit)
        }
    }

    private static func trimmed(_ text: String.UTF8View) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let start = text.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }.map { start.index(after: $0) } ?? start.startIndex
        return String(decoding: start[..<end], as: UTF8.self)
    }
}
