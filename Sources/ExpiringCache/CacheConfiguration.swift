package import Timing

/// The settings of a cache, in seconds and numbers.
package struct CacheConfiguration: Hashable, Sendable {
    /// The maximum number of cached values, and of failed keys that are remembered; at least one.
    ///
    /// Beyond it, expired values are evicted first, then approximately the least recently used.
    package var capacity = 1_000
    /// The minimum remaining lifetime of a returned value; half the value's lifetime where that is less.
    package var minimumRemaining: Seconds = 30
    /// How long before a value becomes unusable its refresh begins at the earliest; at most a fifth of its lifetime.
    ///
    /// The actual moment is drawn once per value from the first half of that span, so that clients whose values began
    /// together don't refresh together. The second half is left for an outage of the source.
    package var refreshAhead: Seconds = 600
    /// The time limit of a fetch, after which its waiters fail and its result doesn't count.
    package var fetchTimeout: Seconds = 10
    /// The maximum time that a call waits, unless it specifies its own timeout.
    package var callTimeout: Seconds = 30
    /// The pause after the first failure and the maximum pause; the pause doubles with each failure.
    ///
    /// The fixed half of a pause bounds the rate of fetches, the random half spreads the clients.
    package var backoff: ClosedRange<Seconds> = 0.5...30
    /// The maximum delay that a source can request, including the cache's own pause.
    package var maximumRetryAfter: Seconds = 3_600
    /// How long a permanent failure is remembered before the next fetch.
    package var denialLifetime: Seconds = 30
    /// The maximum number of concurrent fetches of all keys together; at least one.
    ///
    /// Further fetches are queued: those that callers wait for go before refreshes, then in order of arrival.
    package var maximumConcurrentFetches = Int.max
    /// The maximum number of abandoned fetches of one key that may still be running; at least one.
    ///
    /// Only a fetch function that ignores cancellation reaches it.
    package var maximumAbandonedFetches = 3
    /// How long an abandoned fetch counts as still running: one that waits for a lost callback never ends.
    package var abandonedFetchLifetime: Seconds = 60

    /// Creates the default configuration, for values that live minutes or hours and are fetched over a network.
    package init() {}
}

/// The configuration as the state machine uses it: whole nanoseconds, within bounds.
struct CacheRules: Sendable {
    let capacity: Int
    let maximumAbandonedFetches: Int
    let abandonedFetchLifetime: Int64
    /// An older fetch was not stopped in time, so the process was suspended or a clock was set.
    let longestFetch: Int64
    let denialLifetime: Int64
    let longestBackoff: Int64
    private let firstBackoff: Int64
    private let minimumRemaining: Int64
    private let refreshAhead: Int64
    private let maximumRetryAfter: Int64

    init(_ configuration: CacheConfiguration) {
        capacity = max(1, configuration.capacity)
        maximumAbandonedFetches = max(1, configuration.maximumAbandonedFetches)
        abandonedFetchLifetime = Int64(nanosecondsIn: configuration.abandonedFetchLifetime)
        // On a running machine no timer is ten seconds late.
        longestFetch = Int64(nanosecondsIn: configuration.fetchTimeout) + Int64(nanosecondsIn: 10)
        minimumRemaining = Int64(nanosecondsIn: configuration.minimumRemaining)
        refreshAhead = Int64(nanosecondsIn: configuration.refreshAhead)
        firstBackoff = Int64(nanosecondsIn: configuration.backoff.lowerBound)
        longestBackoff = Int64(nanosecondsIn: configuration.backoff.upperBound)
        maximumRetryAfter = Int64(nanosecondsIn: configuration.maximumRetryAfter)
        denialLifetime = Int64(nanosecondsIn: configuration.denialLifetime)
    }

    /// Returns when a value becomes stale, unusable and expired; `jitter` is drawn once per value.
    func lifespan<Value>(of fetched: Fetched<Value>, jitter: Double) -> Lifespan {
        let total = Int64(nanosecondsIn: fetched.lifetime)
        let usable = total - min(minimumRemaining, total / 2)
        let ahead = min(refreshAhead, total / 5)
        let fresh = usable - ahead + Self.share(jitter, of: ahead / 2)
        let asked = fetched.refreshAfter.map { Int64(nanosecondsIn: $0) }
        return Lifespan(
            total: total,
            usable: usable,
            fresh: min(fresh, asked ?? fresh),
            retryInterval: fetched.retryInterval.map { Int64(nanosecondsIn: $0) }
        )
    }

    /// Returns the pause after a number of consecutive failures; `jitter` is drawn once per failure.
    func backoff(failures: Int, jitter: Double) -> Int64 {
        // After 60 doublings every pause is at the maximum, and a larger shift would drop bits.
        let doublings = min(max(0, failures - 1), 60)
        let isBeyondLimit = firstBackoff > longestBackoff >> doublings
        let step = isBeyondLimit ? longestBackoff : firstBackoff << doublings
        return step - step / 2 + Self.share(jitter, of: step / 2)
    }

    /// Returns the delay that the source requests, within bounds.
    func retryAfter(_ retry: FetchRetry) -> Int64 {
        guard case .retryable(let after?) = retry else { return 0 }
        return min(Int64(nanosecondsIn: after), maximumRetryAfter)
    }

    /// Returns the pause after a failure: the source's delay plus backoff, within the maximum for the source's delay.
    func pause(backoff: Int64, _ retry: FetchRetry) -> Int64 {
        max(backoff, min(backoff + retryAfter(retry), maximumRetryAfter))
    }

    private static func share(_ fraction: Double, of span: Int64) -> Int64 {
        fraction > 0 ? Int64(min(fraction, 1) * Double(span)) : 0
    }
}
