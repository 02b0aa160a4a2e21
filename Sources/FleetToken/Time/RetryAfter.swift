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
        guard let field else { return nil }
        let words = field.utf8.split(whereSeparator: \.isASCIIBlank)
        // Digits that don't fit are a very long delay, not none.
        if words.count == 1, isNumber(words[0]) { return min(Double(Substring(words[0])) ?? maximum, maximum) }
        let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        guard let date, let end = HTTPDate.parse(text) else { return nil }
        return min(max(Double(end - date), 0), maximum)
    }

    /// Returns whether a text consists of digits, optionally with a fraction, which is nonstandard but does occur.
    private static func isNumber(_ text: Substring.UTF8View) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy(\.isASCIIDigit)
        }
    }
}
