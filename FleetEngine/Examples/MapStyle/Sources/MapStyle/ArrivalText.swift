/// The text of a marker that shows the time until arrival.
///
/// The guide draws it again each minute, and so does the journey page.
nonisolated enum ArrivalText {
    /// How often the text is to be written, in seconds: 60.
    static let refreshInterval: Double = 60

    /// Returns the time until arrival, rounded to minutes.
    ///
    /// - Parameter seconds: The time until arrival, in seconds; negative after it.
    /// - Returns: `now`, `3 min` or `1 h 5 min`.
    static func minutes(_ seconds: Double) -> String {
        // A day is more than any trip takes, and fits in every integer.
        let minutes = seconds > 0 ? Int((min(seconds, 86_400) / 60).rounded()) : 0
        if minutes < 1 { return "now" }
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
