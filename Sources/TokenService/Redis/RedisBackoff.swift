/// The delays between health checks of Redis.
struct RedisBackoff: Sendable {
    /// The interval while Redis is available.
    static let interval = Duration.seconds(1)
    /// The first and the longest wait after a failure.
    static let waits = (first: Duration.milliseconds(250), longest: Duration.seconds(5))

    private var failures = 0

    /// Redis failed.
    mutating func failed() { failures = min(failures + 1, 16) }

    /// Resets the delay after a time without failures.
    mutating func reset() { failures = 0 }

    /// Returns the delay.
    ///
    /// - Parameters:
    ///   - isUp: Whether there is a connection.
    ///   - jitter: A random number from 0 to 1, so that replicas don't all come back at once.
    /// - Returns: The time to wait.
    func wait(isUp: Bool, jitter: Double) -> Duration {
        guard !isUp else { return Self.interval }
        let wait = min(Self.waits.first * (1 << max(0, failures - 1)), Self.waits.longest)
        return wait * (0.8 + 0.4 * jitter)
    }
}
