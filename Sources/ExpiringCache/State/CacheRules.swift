import Timing

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

/// The times in a value's life, in nanoseconds of its age.
@usableFromInline
struct Lifespan: Hashable, Sendable {
    /// The age at which it expires.
    @usableFromInline
    let total: Int64
    /// The age from which it isn't returned to callers.
    @usableFromInline
    let usable: Int64
    /// The age at which its refresh is due.
    @usableFromInline
    let fresh: Int64
    /// ``retryInterval``; negative for nil, which saves eight bytes of each value.
    private let storedRetryInterval: Int64

    init(total: Int64, usable: Int64, fresh: Int64, retryInterval: Int64?) {
        self.total = total
        self.usable = usable
        self.fresh = fresh
        storedRetryInterval = retryInterval ?? -1
    }

    /// The pause after a fetch that fails while the value is usable; nil uses backoff.
    var retryInterval: Int64? { storedRetryInterval < 0 ? nil : storedRetryInterval }
}
