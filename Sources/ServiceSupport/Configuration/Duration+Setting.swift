import FleetToken

/// A duration as settings have it: a number and its unit, such as `10s`, `5m` or `2h`.
extension Duration {
    private static let units: [(name: UInt8, seconds: Int64)] = [
        (UInt8(ascii: "h"), 3600), (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1),
    ]

    /// The largest number of digits, far above any bound.
    private static let maximumDigits = 6

    /// Creates a duration by reading a setting's text; nil if it has another form.
    package init?(setting text: String) {
        let digits = text.utf8.dropLast()
        guard let unit = Self.units.first(where: { $0.name == text.utf8.last }),
            (1...Self.maximumDigits).contains(digits.count), digits.allSatisfy(\.isASCIIDigit),
            digits.count == 1 || digits.first != UInt8(ascii: "0"),
            let number = Int64(String(decoding: digits, as: UTF8.self))
        else { return nil }
        self = .seconds(number * unit.seconds)
    }

    /// The duration with the largest unit that gives a whole number.
    package var setting: String {
        let seconds = components.seconds
        let unit = Self.units.first { seconds != 0 && seconds.isMultiple(of: $0.seconds) } ?? Self.units[2]
        return "\(seconds / unit.seconds)\(Character(Unicode.Scalar(unit.name)))"
    }
}

extension ConfigurationValue {
    /// A duration with its unit; a number alone is refused, since it would be seconds to some and milliseconds to others.
    package func duration(_ range: ClosedRange<Duration>) -> Duration? {
        guard let duration = node.text.flatMap(Duration.init(setting:)), range.contains(duration) else {
            report("must be a duration from \(range.lowerBound.setting) to \(range.upperBound.setting), such as 10s.")
            return nil
        }
        return duration
    }
}
