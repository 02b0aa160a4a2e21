/// An HTTP-date, in each of the three formats that a recipient must accept (RFC 9110 section 5.6.7).
///
/// Foundation's date formatters depend on the device's locale and calendar by default; a fixed format of ASCII bytes
/// doesn't need them.
package enum HTTPDate {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    package static func parse(_ text: String) -> NumericDate? {
        let words = Self.words(text.utf8, between: " ")
        switch words.count {
        case 6 where words[0].utf8.last == UInt8(ascii: ",") && words[5] == "GMT":
            return date(weekday: words[0], day: words[1], month: words[2], year: words[3], time: words[4])
        case 4 where words[0].utf8.last == UInt8(ascii: ",") && words[3] == "GMT":
            let date = Self.words(words[1].utf8, between: "-")
            guard date.count == 3 else { return nil }
            return self.date(weekday: words[0], day: date[0], month: date[1], year: date[2], time: words[2])
        case 5:
            return date(weekday: words[0], day: words[2], month: words[1], year: words[4], time: words[3])
        default:
            return nil
        }
    }

    private static func words(_ text: some Collection<UInt8>, between separator: Unicode.Scalar) -> [String] {
        text.split { $0 == UInt8(ascii: separator) }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func date(weekday: String, day: String, month: String, year: String, time: String) -> NumericDate? {
        let clock = time.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let month = months.firstIndex(of: month).map({ Int64($0 + 1) }),
            let year = number(year.utf8).map({ fullYear($0, digits: year.utf8.count) }), year >= 1970,
            let day = number(day.utf8), day >= 1,
            clock.count == 3,
            let hour = number(clock[0]), hour < 24,
            let minute = number(clock[1]), minute < 60,
            // A leap second counts as the first second of the next minute, as in POSIX.
            let second = number(clock[2]), second <= 60
        else { return nil }
        let days = daysSince1970(year: year, month: month) + day - 1
        // 1970-01-01 was a Thursday. A date with the wrong day name was altered or made up.
        guard days < daysSince1970(year: year, month: month + 1),
            weekday.utf8.starts(with: weekdays[Int((days + 4) % 7)].utf8)
        else { return nil }
        return NumericDate(seconds: ((days * 24 + hour) * 60 + minute) * 60 + second)
    }

    /// Returns a number of one, two or four digits.
    private static func number(_ text: some Collection<UInt8>) -> Int64? {
        guard (1...4).contains(text.count), text.allSatisfy(\.isASCIIDigit) else { return nil }
        return text.reduce(0) { 10 * $0 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Returns the year for two digits.
    ///
    /// No response was sent before 1970, so no pivot is needed.
    private static func fullYear(_ year: Int64, digits: Int) -> Int64 {
        guard digits == 2 else { return year }
        return year < 70 ? 2000 + year : 1900 + year
    }

    /// Returns the days between 1970-01-01 and the first of a month of the Gregorian calendar; month 13 is the next
    /// January.
    package static func daysSince1970(year: Int64, month: Int64) -> Int64 {
        // Years that begin in March put the leap day at their end, so that the months before it have fixed lengths.
        let monthsSinceMarch = month - 3
        let year = year + (monthsSinceMarch < 0 ? -1 : 0)
        let dayOfYear = (153 * ((monthsSinceMarch + 12) % 12) + 2) / 5
        let leapDays = year / 4 - year / 100 + year / 400
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        return year * 365 + leapDays + dayOfYear - 719_468
    }
}
