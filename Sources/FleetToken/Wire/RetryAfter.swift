/// The `Retry-After` header field: a number of seconds or a date (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// The longest wait that a server can impose: an hour.
    ///
    /// A mistyped figure must not stop an app for a day.
    package static let maximum: Double = 3600

    /// Reads the field.
    ///
    /// - Parameters:
    ///   - field: The field's value.
    ///   - date: What the server's clock showed when it answered, since this machine's may be wrong by days; nil where
    ///     that isn't known, so that a date says nothing.
    ///   - maximum: The longest wait that this server can impose, in seconds.
    /// - Returns: The seconds to wait, from 0 to `maximum`; nil when there is no field or it makes no sense.
    package static func seconds(_ field: String?, date: NumericDate?, maximum: Double = RetryAfter.maximum) -> Double? {
        let value = field.map { trimmed($0.utf8) } ?? ""
        // Digits that don't fit are a very long wait, not no wait.
        if isNumber(value.utf8) { return min(Double(value) ?? maximum, maximum) }
        guard let date, let end = HTTPDate.parse(value) else { return nil }
        return min(max(Double(end - date), 0), maximum)
    }

    /// Whether a text is digits, perhaps with a fraction: not in the standard, and sent all the same.
    private static func isNumber(_ text: String.UTF8View) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }

    private static func trimmed(_ text: String.UTF8View) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let start = text.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }.map { start.index(after: $0) } ?? start.startIndex
        return String(decoding: start[..<end], as: UTF8.self)
    }
}
