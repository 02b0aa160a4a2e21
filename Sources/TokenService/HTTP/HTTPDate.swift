import FleetToken
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A point in time as HTTP writes it (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The text, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ date: NumericDate) -> String {
        var seconds = time_t(date.seconds)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        var text = [CChar](repeating: 0, count: 40)
        // The process never calls setlocale, so the names of days and months are English.
        let length = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &fields)
        return String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The text of now, which is the same for a second.
    static func now() -> String {
        let date = NumericDate.now
        return last.withLock { last in
            if last.date != date { last = (date, text(date)) }
            return last.text
        }
    }

    private static let last = Mutex((date: NumericDate(seconds: 0), text: ""))

    /// The point in time of a text in the form that servers send; nil for any other.
    static func date(_ text: String) -> NumericDate? {
        let parts = text.split { " ,:".contains($0) }
        guard parts.count == 8, let day = Int32(parts[1]), let month = months.firstIndex(of: String(parts[2])),
            let year = Int32(parts[3]), (1970...9999).contains(year), let hour = Int32(parts[4]),
            let minute = Int32(parts[5]), let second = Int32(parts[6])
        else { return nil }
        var fields = tm()
        fields.tm_mday = day
        fields.tm_mon = Int32(month)
        fields.tm_year = year - 1900
        fields.tm_hour = hour
        fields.tm_min = minute
        fields.tm_sec = second
        let date = NumericDate(seconds: Int64(timegm(&fields)))
        // February 30th, other spacing and the wrong day of the week come out as something else.
        return Self.text(date).utf8.elementsEqual(text.utf8) ? date : nil
    }
}
