package import FleetToken
import Synchronization

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

/// The `Date` field of responses (RFC 9110 section 6.6.1).
package enum DateField {
    /// Returns the current time, such as `Sun, 06 Nov 1994 08:49:37 GMT`, cached for one second.
    package static func now() -> String {
        let date = NumericDate.now
        return last.withLock { last in
            if last.date != date { last = (date, HTTPDate.text(date)) }
            return last.text
        }
    }

    private static let last = Mutex((date: NumericDate(seconds: 0), text: ""))
}
