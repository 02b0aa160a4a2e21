/// The service's time for one of many requests, as measured while requests wait.
///
/// A pause of the machine must not look like a slow signer: time is measured over many requests, and each measurement
/// raises the estimate by half at most.
struct ServiceRate {
    /// The least time without a pause that is measured, in nanoseconds.
    static let leastTime: Int64 = 50_000_000
    /// The least cost of requests that is measured.
    static let leastCost = 16

    /// The nanoseconds from one request to the next, for a request of the usual cost.
    private(set) var interval: Int64
    private var isMeasured = false
    private var time: Int64 = 0
    private var cost = 0
    /// When a request was last taken, if others still waited then.
    private var lastTaken: Int64?

    /// Creates a rate that is assumed until it is measured.
    init(interval: Int64) {
        self.interval = max(1, interval)
    }

    /// Assumes a rate, as a self-test found it, unless it was measured in service.
    mutating func assume(interval: Int64) {
        if !isMeasured { self.interval = max(1, interval) }
    }

    /// Measures the time since the last request, if this one was waiting then.
    ///
    /// - Parameters:
    ///   - cost: The cost of the requests that are taken.
    ///   - isLast: Whether no other waits.
    ///   - now: A clock that only goes forward, in nanoseconds.
    mutating func take(cost: Int, isLast: Bool, at now: Int64) {
        if let lastTaken {
            time += now - lastTaken
            self.cost += cost
        }
        lastTaken = isLast ? nil : now
        guard time >= Self.leastTime, self.cost >= Self.leastCost else { return }
        interval = max(1, (interval + min(time / Int64(self.cost), 2 * interval)) / 2)
        (isMeasured, time, self.cost) = (true, 0, 0)
    }

    /// Forgets when the last request was taken, because the others were removed.
    mutating func pause() { lastTaken = nil }
}
