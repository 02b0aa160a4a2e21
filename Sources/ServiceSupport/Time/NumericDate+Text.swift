package import FleetToken

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension NumericDate {
    /// Creates a time by parsing `2026-11-20T22:48:10Z`, or whole seconds since 1970.
    ///
    /// Nil for anything else, such as a day that the month doesn't have, a leap second, or a year after 9999.
    package init?(text: String) {
        if let seconds = Int64(text), text.utf8.allSatisfy(\.isASCIIDigit) {
            guard seconds <= Self.last.seconds else { return nil }
            self.init(seconds: seconds)
        } else {
            // Foundation accepts February 30th and more; only text that formats back unchanged is valid.
            guard text.utf8.count == 20, let date = try? Date(text, strategy: .iso8601),
                date.formatted(.iso8601).hasSameBytes(as: text)
            else {
                return nil
            }
            self.init(seconds: Int64(date.timeIntervalSince1970))
        }
    }
}

extension NumericDate {
    /// The time as Foundation has it.
    package var date: Date { Date(timeIntervalSince1970: Double(seconds)) }

    /// The time as RFC 3339 has it, in UTC: `2026-11-20T22:48:10Z`.
    package var rfc3339: String {
        date.formatted(.iso8601)
    }

    /// The time for people, in UTC: `2026-11-20 22:48:10 UTC`.
    package var utc: String {
        let text = date.formatted(.iso8601.dateTimeSeparator(.space))
        return "\(text.dropLast()) UTC"
    }

    /// Returns the distance from `now`: `in 12 minutes`, `3 days ago`, `now`.
    ///
    /// Rounded towards now, so that a token lasts at least as long as stated.
    package func distance(from now: NumericDate) -> String {
        let difference = self - now
        guard difference != 0 else { return "now" }
        let amount = Self.amount(difference.magnitude)
        return difference > 0 ? "in \(amount)" : "\(amount) ago"
    }

    /// Returns a time span in the largest unit with at least two, down to seconds.
    private static func amount(_ seconds: UInt64) -> String {
        let units: [(name: String, seconds: UInt64)] = [("day", 86_400), ("hour", 3600), ("minute", 60)]
        for unit in units where seconds >= 2 * unit.seconds {
            return "\(seconds / unit.seconds) \(unit.name)s"
        }
        return seconds == 1 ? "1 second" : "\(seconds) seconds"
    }
}

extension HTTPDate {
    /// Returns the text, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(_ date: NumericDate) -> String {
        var seconds = time_t(date.seconds)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        var text = [CChar](repeating: 0, count: 40)
        // The process never calls setlocale, so the names of days and months are English.
        let length = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &fields)
        return String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
