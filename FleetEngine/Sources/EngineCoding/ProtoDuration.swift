/// A duration in proto3's JSON mapping: seconds with a fraction and the suffix `s`.
package enum ProtoDuration {
    private static let maximum = 315_576_000_000.0

    /// Returns the seconds of a text such as `1.5s`; nil if it is none, or longer than 10,000 years.
    package static func parse(_ text: String) -> Double? {
        var scanner = DigitScanner(text)
        let isNegative = scanner.skip("-")
        guard let seconds = scanner.number(), let fraction = scanner.fraction(), scanner.skip("s"), scanner.isAtEnd
        else { return nil }
        let duration = Double(seconds) + Double(fraction) / 1e9
        return duration > maximum ? nil : isNegative ? -duration : duration
    }

    /// Returns the text for seconds, with milliseconds; a duration that is too long is the longest.
    package static func text(_ seconds: Double) -> String {
        let bounded = min(max(seconds.isNaN ? 0 : seconds, -maximum), maximum)
        let milliseconds = Int64((abs(bounded) * 1000).rounded())
        let sign = bounded < 0 && milliseconds > 0 ? "-" : ""
        return "\(sign)\(milliseconds / 1000)\(fractionText(milliseconds % 1000 * 1_000_000))s"
    }
}
