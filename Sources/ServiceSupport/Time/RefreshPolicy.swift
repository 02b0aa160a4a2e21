/// When a ``Refreshing`` value is fetched, and how long its callers wait.
package struct RefreshPolicy: Sendable {
    /// The maximum time for a fetch, and so for a caller.
    package var timeout = Duration.seconds(5)
    /// The pause after a failure while the last value is good.
    package var retryInterval = Duration.seconds(10)
    /// The maximum pause without a good value.
    ///
    /// Pauses begin at one second, and double with each failure.
    package var maximumPause = Duration.seconds(60)
    /// The maximum pause that a server may request.
    package var maximumRetryAfter = Duration.seconds(60)
    /// The maximum number of callers that wait at once.
    package var maximumWaiting = 64

    /// Creates the usual policy.
    package init() {}

    /// Returns the pause after some failures in succession, of which up to a half is chance.
    func backoff(after failures: Int, random: Double) -> Duration {
        min(.seconds(1 << min(failures, 20)), maximumPause) * (1 - random / 2)
    }
}

/// A value that was just fetched.
package struct Fresh<Value: Sendable>: Sendable {
    let value: Value
    let lifetime: Duration
    let refreshAfter: Duration

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - lifetime: How long it is good after its fetch began.
    ///   - refreshAfter: The age at which its use starts a fetch in the background.
    package init(_ value: Value, lifetime: Duration, refreshAfter: Duration) {
        self.value = value
        self.lifetime = lifetime
        self.refreshAfter = refreshAfter
    }
}

/// Why a fetch failed.
package protocol RefreshFailure: Error {
    /// The time after which the server asks to try again; nil if it says nothing.
    var retryAfter: Duration? { get }
}

/// There is no value that is good enough.
package struct RefreshError<Failure: RefreshFailure>: Error {
    /// Why the last fetch failed; nil if it took too long, or too many callers wait.
    package let cause: Failure?
    /// The time after which to try again.
    package let retryAfter: Duration
}
