import Foundation

/// The `Retry-After` header field: a number of seconds or a date (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// The maximum delay that a server can request: an hour.
    ///
    /// A mistyped number must not stop an app for a day.
    static let maximum: TimeInterval = 3600

    /// Parses the field.
    ///
    /// - Parameters:
    ///   - field: The field's value.
    ///   - date: The time of the response by the server's clock, because the device's may be wrong by days.
    /// - Returns: The delay in seconds, from 0 to ``maximum``; nil if the field is missing or invalid.
    static func seconds(_ field: String?, date: Date) -> TimeInterval? {
        guard let field else { return nil }
        let text = field.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        // Digits that don't fit are a very long delay, not none.
        if isNumber(text) { return min(TimeInterval(text) ?? maximum, maximum) }
        return HTTPDate.parse(text).map { min(max($0.timeIntervalSince(date), 0), maximum) }
    }

    /// Returns whether a text consists of digits, optionally with a fraction, which is nonstandard but does occur.
    private static func isNumber(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) }
        }
    }
}
