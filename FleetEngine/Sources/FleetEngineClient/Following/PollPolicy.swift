/// A number of seconds.
typealias Seconds = Double

extension Seconds {
    /// Returns the nearest number within bounds: the lower one for what is not a number.
    func bounded(by bounds: ClosedRange<Self>) -> Self {
        bounds.contains(self) ? self : self > bounds.upperBound ? bounds.upperBound : bounds.lowerBound
    }
}

/// When the next request follows a response or an error.
struct PollPolicy: Hashable, Sendable {
    /// The intervals that are allowed, in seconds: the shortest is that of Google's clients.
    private static let intervals: ClosedRange<Seconds> = 5...3600
    /// The shortest pause after an error that only the app can resolve.
    private static let slowInterval: Seconds = 30

    /// The pause between the end of one request and the start of the next.
    let interval: Seconds

    /// Creates a policy from an app's setting; one that is out of bounds, or not a number, is the nearest that is not.
    init(interval: Seconds) {
        self.interval = interval.bounded(by: Self.intervals)
    }

    /// Returns the pause after an error, the last of several consecutive `failures`.
    func pause(after error: FleetEngineError, failures: Int, random: Double) -> Seconds {
        let pause =
            switch error.code {
            case .resourceExhausted: 2 * interval
            case .unauthenticated: interval
            case _ where error.needsAction: max(interval, Self.slowInterval)
            // After the attempts that Google's clients make, an outage must not be polled faster than a healthy server.
            case _ where failures >= Backoff.maximumAttempts: max(interval, Backoff.pause(failures, random))
            default: Backoff.pause(failures, random)
            }
        return max(pause, error.retryAfter ?? 0)
    }
}
