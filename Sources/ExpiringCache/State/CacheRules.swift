/// The configuration in the machine's terms: whole nanoseconds, within bounds.
struct CacheRules: Sendable {
    let capacity: Int
    let maximumAbandonedFetches: Int
    let abandonedFetchLifetime: Int64
    /// A fetch that is older was not given up in time, so the process was stopped, or a clock was set.
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
        // On a machine that runs, no timer is ten seconds late.
        longestFetch = Int64(nanosecondsIn: configuration.fetchTimeout) + Int64(nanosecondsIn: 10)
        minimumRemaining = Int64(nanosecondsIn: configuration.minimumRemaining)
        refreshAhead = Int64(nanosecondsIn: configuration.refreshAhead)
        firstBackoff = Int64(nanosecondsIn: configuration.backoff.lowerBound)
        longestBackoff = Int64(nanosecondsIn: configuration.backoff.upperBound)
        maximumRetryAfter = Int64(nanosecondsIn: configuration.maximumRetryAfter)
        denialLifetime = Int64(nanosecondsIn: configuration.denialLifetime)
    }

    /// How long a value lives, may be used and is fresh; `jitter` is drawn once per value.
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

    /// How long to pause after so many failures in a row; `jitter` is drawn once per failure.
    func backoff(failures: Int, jitter: Double) -> Int64 {
        // Past 60 doublings everything is at the limit, and a shift would drop bits.
        let doublings = min(max(0, failures - 1), 60)
        let isBeyondLimit = firstBackoff > longestBackoff >> doublings
        let step = isBeyondLimit ? longestBackoff : firstBackoff << doublings
        return step - step / 2 + Self.share(jitter, of: step / 2)
    }

    /// How long the source asks to be left alone, within bounds.
    func retryAfter(_ retry: FetchRetry) -> Int64 {
        guard case .retryable(let after?) = retry else { return 0 }
        return min(Int64(nanosecondsIn: after), maximumRetryAfter)
    }

    /// How long to pause after a failure: the source's wait and our own, together within the bound for the source's.
    func pause(backoff: Int64, _ retry: FetchRetry) -> Int64 {
        max(backoff, min(backoff + retryAfter(retry), maximumRetryAfter))
    }

    private static func share(_ fraction: Double, of span: Int64) -> Int64 {
        fraction > 0 ? Int64(min(fraction, 1) * Double(span)) : 0
    }
}

/// How long a value lives, may be used and is fresh, in nanoseconds of its age.
@usableFromInline
struct Lifespan: Hashable, Sendable {
    /// From here on it has expired.
    @usableFromInline
    let total: Int64
    /// From here on it isn't handed out any more.
    @usableFromInline
    let usable: Int64
    /// From here on its refresh is due.
    @usableFromInline
    let fresh: Int64
    /// How long to pause after a fetch that fails while the value can be used; nil for backoff.
    var retryInterval: Int64?
}
