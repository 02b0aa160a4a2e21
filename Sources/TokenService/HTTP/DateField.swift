import FleetToken
import ServiceSupport

/// The `Date` field of responses (RFC 9110 section 6.6.1), created once a second.
struct DateField {
    private var cached = (date: NumericDate(seconds: 0), text: "")

    /// Returns the text, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    mutating func text(at now: NumericDate) -> String {
        if cached.date != now { cached = (now, HTTPDate.text(now)) }
        return cached.text
    }
}
