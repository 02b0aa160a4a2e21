/// The service's time for one of many requests, as measured while requests wait.
///
/// A pause of the machine must not look like a slow signer: time is measured over many requests, and each measurement
/// raises the estimate by half at most.
struct ServiceRate {
    /// The least time without a pause that is measured, in nanoseconds.
    static let leastTime: Int64 = 50_000_000
    /// The least number of requests that is measured.
    static let leastCount: Int64 = 16

    /// The nanoseconds from one request to the next.
    private(set) var interval: Int64
    private var time: Int64 = 0
    private var count: Int64 = 0
    /// When a request was last taken, if others still waited then.
    private var lastTaken: Int64?

    /// Creates a rate that is assumed until it is measured.
    init(interval: Int64) {
        self.interval = max(1, interval)
    }

    /// Measures the time since the last request, if this one was waiting then.
    ///
    /// - Parameters:
    ///   - isLast: Whether no other waits.
    ///   - now: A clock that only goes forward, in nanoseconds.
    mutating func take(isLast: Bool, at now: Int64) {
        if let lastTaken {
            time += now - lastTaken
            count += 1
        }
        lastTaken = isLast ? nil : now
        guard time >= Self.leastTime, count >= Self.leastCount else { return }
        interval = max(1, (interval + min(time / count, 2 * interval)) / 2)
        (time, count) = (0, 0)
    }

    /// Forgets when the last request was taken, because the others were removed.
    mutating func pause() { lastTaken = nil }
}
