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

    /// Returns the pause after a number of failures in succession, shortened by up to a half at random.
    func backoff(after failures: Int, random: Double) -> Duration {
        min(.seconds(1 << min(failures, 20)), maximumPause) * (1 - random / 2)
    }
}
