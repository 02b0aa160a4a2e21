import FleetToken
import Foundation
import StrictCoding

/// A timestamp in proto3's JSON mapping: RFC 3339 with up to nine digits of a second's fraction.
///
/// Foundation's formatters either need iOS 15 or, when they parse, accept days that don't exist.
enum Timestamp {
    /// Parses a text such as `2026-11-20T21:53:25.081Z`, or one with an offset such as `+02:00` instead of the `Z`.
    static func parse(_ text: String) -> Date? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), scanner.skip("T") || scanner.skip("t"),
            let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2),
            scanner.skip(":"), let second = scanner.number(digits: 2),
            year >= 1, (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60,
            let fraction = scanner.fraction(), let offset = offset(&scanner), scanner.isAtEnd
        else { return nil }
        let days = HTTPDate.daysSince1970(year: year, month: month) + day - 1
        guard days < HTTPDate.daysSince1970(year: year, month: month + 1) else { return nil }
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private static func offset(_ scanner: inout DigitScanner) -> Int64? {
        if scanner.skip("Z") || scanner.skip("z") { return 0 }
        let isWest = scanner.skip("-")
        guard isWest || scanner.skip("+"), let hours = scanner.number(digits: 2), scanner.skip(":"),
            let minutes = scanner.number(digits: 2), hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isWest ? -60 : 60)
    }

    /// Returns the text for a date in UTC, from 1970 to 9999, with milliseconds.
    static func text(_ date: Date) -> String {
        let milliseconds = milliseconds(date.timeIntervalSince1970, atMost: 253_402_300_799)
        // Whole seconds: some versions of the formatter round a fraction, others cut it off.
        let second = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(milliseconds / 1000)))
        return "\(second.dropLast()).\(threeDigits(milliseconds % 1000))Z"
    }
}

/// Returns seconds in milliseconds, from zero to a bound; zero for what is not a number.
private func milliseconds(_ seconds: TimeInterval, atMost bound: TimeInterval) -> Int64 {
    seconds > 0 ? Int64((min(seconds, bound) * 1000).rounded()) : 0
}

private func threeDigits(_ number: Int64) -> Substring { String(number + 1000).dropFirst() }

/// A duration in proto3's JSON mapping: seconds with a fraction and the suffix `s`.
enum ProtoDuration {
    static func parse(_ text: String) -> TimeInterval? {
        var scanner = DigitScanner(text)
        let isNegative = scanner.skip("-")
        guard let seconds = scanner.number(), let fraction = scanner.fraction(), scanner.skip("s"), scanner.isAtEnd
        else { return nil }
        let duration = Double(seconds) + fraction
        return isNegative ? -duration : duration
    }

    static func text(_ seconds: TimeInterval) -> String {
        let milliseconds = milliseconds(seconds, atMost: 315_576_000_000)
        let fraction = milliseconds % 1000 == 0 ? "" : ".\(threeDigits(milliseconds % 1000))"
        return "\(milliseconds / 1000)\(fraction)s"
    }
}

/// Reads digits and separators from a text's bytes.
private struct DigitScanner {
    private var bytes: Substring.UTF8View

    init(_ text: String) {
        bytes = Substring(text).utf8
    }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func skip(_ separator: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: separator) else { return false }
        bytes.removeFirst()
        return true
    }

    /// Reads a number with exactly this many digits, or with 1 to 12.
    mutating func number(digits count: Int? = nil) -> Int64? {
        let digits = bytes.prefix(while: \.isASCIIDigit).prefix(count ?? 13)
        guard (1...12).contains(digits.count), count == nil || digits.count == count else { return nil }
        bytes = bytes.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Reads an optional fraction; nil for a point without one to nine digits.
    mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        let start = bytes.count
        guard let number = number(), start - bytes.count <= 9 else { return nil }
        return Double(number) / Self.powers[start - bytes.count]
    }

    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
}
