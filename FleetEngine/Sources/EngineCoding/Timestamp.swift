/// A time in proto3's JSON mapping: RFC 3339 with up to nine digits of a second's fraction, from the year 1 to 9999.
///
/// Foundation's formatters accept days that don't exist, or round the fraction.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// The seconds since 1970, rounded down.
    package let seconds: Int64
    /// The rest, in nanoseconds.
    package let nanoseconds: Int64

    private static let first: Int64 = -62_135_596_800
    private static let last: Int64 = 253_402_300_799

    /// Creates a time; one that is out of bounds is the nearest that is not.
    package init(seconds: Int64, nanoseconds: Int64 = 0) {
        let (carry, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let isNegative = rest < 0
        let whole = min(max(seconds, 2 * Self.first), 2 * Self.last) + carry - (isNegative ? 1 : 0)
        self.seconds = min(max(whole, Self.first), Self.last)
        self.nanoseconds = self.seconds == whole ? rest + (isNegative ? 1_000_000_000 : 0) : 0
    }

    /// Creates a time from seconds since 1970; 1970 for what is not a number.
    package init(secondsSince1970 seconds: Double) {
        let bounded = min(max(seconds.isNaN ? 0 : seconds, -1e12), 1e12)
        let whole = bounded.rounded(.down)
        self.init(seconds: Int64(whole), nanoseconds: Int64(((bounded - whole) * 1e9).rounded()))
    }

    /// The time in seconds since 1970.
    package var secondsSince1970: Double { Double(seconds) + Double(nanoseconds) / 1e9 }

    /// Returns the time some seconds later; one that is out of bounds is the nearest that is not.
    package func adding(_ duration: Double) -> Self {
        let bounded = min(max(duration.isNaN ? 0 : duration, -1e12), 1e12)
        let whole = bounded.rounded(.towardZero)
        return Self(
            seconds: seconds + Int64(whole),
            nanoseconds: nanoseconds + Int64(((bounded - whole) * 1e9).rounded())
        )
    }

    /// Returns how much later it is than another time, in seconds.
    package func seconds(since other: Self) -> Double {
        Double(seconds - other.seconds) + Double(nanoseconds - other.nanoseconds) / 1e9
    }

    package static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
    }
}

extension Timestamp {
    /// Parses a text such as `2026-11-20T21:53:25.081Z`, or one with an offset such as `+02:00` instead of the `Z`.
    package init?(_ text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), scanner.skip("T") || scanner.skip("t"),
            let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2),
            scanner.skip(":"), let second = scanner.number(digits: 2),
            year >= 1, (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60,
            let fraction = scanner.fraction(), let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        let days = CivilDate.days(year, month) + day - 1
        guard days < CivilDate.days(year, month + 1) else { return nil }
        let time = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
        guard (Self.first...Self.last).contains(time) else { return nil }
        self.init(seconds: time, nanoseconds: fraction)
    }

    /// The text in UTC, with no, three, six or nine digits of the fraction.
    package var text: String {
        let (days, rest) = (seconds - Self.first).quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = CivilDate.date(days: days + Self.first / 86_400)
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock)\(fractionText(nanoseconds))Z"
    }
}

/// The proleptic Gregorian calendar.
private enum CivilDate {
    /// Returns the days from 1970 to the first of a month; month 13 is the next January.
    static func days(_ year: Int64, _ month: Int64) -> Int64 {
        // Years that begin in March end with the leap day.
        let (y, m) = month <= 2 ? (year - 1, month + 9) : (year, month - 3)
        return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 - 719_468
    }

    static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        var year = 1970 + days * 400 / 146_097
        while Self.days(year, 1) > days { year -= 1 }
        while Self.days(year + 1, 1) <= days { year += 1 }
        let month = (1...12).last { Self.days(year, $0) <= days } ?? 1
        return (year, month, days - Self.days(year, month) + 1)
    }
}

func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}

/// Returns nanoseconds as a fraction with a point; empty for none.
func fractionText(_ nanoseconds: Int64) -> String {
    guard nanoseconds != 0 else { return "" }
    let digits = padded(nanoseconds, 9)
    return "." + digits.prefix(digits.hasSuffix("000000") ? 3 : digits.hasSuffix("000") ? 6 : 9)
}
