import Foundation

/// A number of seconds.
typealias Seconds = Double

extension Seconds {
    /// Returns the nearest number within bounds: the lower one for what is not a number.
    func bounded(by bounds: ClosedRange<Self>) -> Self {
        bounds.contains(self) ? self : self > bounds.upperBound ? bounds.upperBound : bounds.lowerBound
    }
}

/// When the next request follows a response or an error, by the rules of `Tests/PollCases`.
struct PollPolicy: Hashable, Sendable {
    /// The intervals that are allowed, in seconds: the shortest is that of Google's clients.
    private static let intervals: ClosedRange<Seconds> = 5...3600
    /// The longest pause while an error needs action, unless the interval is longer.
    private static let longestPause: Seconds = 60

    /// The pause between the end of one request and the start of the next.
    let interval: Seconds

    /// Creates a policy from an app's setting, which is clamped to the allowed intervals; NaN becomes the shortest.
    init(interval: Seconds) {
        self.interval = interval.bounded(by: Self.intervals)
    }

    /// Returns the pause after an error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - failures: The number of errors that need action since the last success, with this one.
    ///   - random: A number from 0 up to 1.
    /// - Returns: The pause in seconds.
    func pause(after error: FleetEngineError, failures: Int, random: Double) -> Seconds {
        let growing = error.needsAction ? min(interval * exp2(Double(failures)), Self.longestPause) : interval
        // Clients that were told the same second must not all return in it.
        let requested = error.retryAfter.map { $0 + random * interval } ?? 0
        return max(interval, growing, requested)
    }
}
