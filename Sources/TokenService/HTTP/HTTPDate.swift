import FleetToken

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A point in time as HTTP writes it (RFC 9110 section 5.6.7).
enum HTTPDate {
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
}
