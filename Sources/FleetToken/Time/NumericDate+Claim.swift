extension NumericDate {
    /// The last second of the year 9999, which keeps all arithmetic far from overflow; larger numbers are milliseconds.
    package static let last = NumericDate(seconds: 253_402_300_799)

    /// Creates a time from a claim: seconds since 1970, which may have a fraction (RFC 7519 section 2).
    ///
    /// - Parameters:
    ///   - value: The claim's value; nil is returned for other than a number, and for a time before 1970 or after ``last``.
    ///   - rule: The direction in which a fraction is rounded, up or down.
    package init?(claim value: JSONValue, rounded rule: FloatingPointRoundingRule) {
        let seconds: Int64
        switch value {
        case .integer(let integer): seconds = integer
        case .decimal(let text):
            guard let (whole, hasFraction) = Self.decimal(Array(text.utf8)) else { return nil }
            seconds = whole + (hasFraction && rule == .up ? 1 : 0)
        default: return nil
        }
        guard (0...Self.last.seconds).contains(seconds) else { return nil }
        self.init(seconds: seconds)
    }

    /// Returns the whole part of a JSON number, and whether there is more; nil if it is negative or has more than 12 digits.
    ///
    /// By its digits: a floating-point number would round by itself.
    private static func decimal(_ text: [UInt8]) -> (whole: Int64, hasFraction: Bool)? {
        let parts = text.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
        guard let mantissa = parts.first, mantissa.first != UInt8(ascii: "-") else { return nil }
        let halves = mantissa.split(separator: UInt8(ascii: "."), maxSplits: 1)
        let allDigits = halves.joined()
        let digits = Array(allDigits.drop { $0 == UInt8(ascii: "0") })
        guard !digits.isEmpty else { return (0, false) }
        let exponent = parts.count == 2 ? Int(String(decoding: parts[1], as: UTF8.self)) : 0
        guard let exponent, exponent.magnitude < 1 << 20 else { return nil }
        // The number of digits before the point.
        let point = halves[0].count - (allDigits.count - digits.count) + exponent
        guard point <= 12 else { return nil }
        guard point > 0 else { return (0, true) }
        let padded = digits.prefix(point) + [UInt8](repeating: UInt8(ascii: "0"), count: max(0, point - digits.count))
        let whole = padded.reduce(Int64(0)) { 10 * $0 + Int64($1 - UInt8(ascii: "0")) }
        return (whole, digits.dropFirst(point).contains { $0 != UInt8(ascii: "0") })
    }
}
