import Synchronization

/// Token buckets by key, bounded in memory.
///
/// Each bucket is one number, the time at which it is full again (the generic cell rate algorithm). A full bucket is
/// equivalent to none, so only full buckets are dropped, and no key's usage is forgotten because of another key. When
/// all buckets are in use, new keys share one.
package final class RateLimiter: Sendable {
    /// The maximum number of buckets.
    static let maximumBuckets = 100_000

    private struct Buckets {
        var fullAt: [String: Int64] = [:]
        var overflowFullAt: Int64 = 0
        var sweepAt: Int64 = 0
    }

    /// The nanoseconds in which one request is refilled.
    private let interval: Int64
    /// The nanoseconds in which an empty bucket is refilled.
    private let capacity: Int64
    private let maximum: Int
    private let buckets = Mutex(Buckets())

    package init(_ rate: LimitsConfiguration.Rate, maximumBuckets: Int = RateLimiter.maximumBuckets) {
        (interval, capacity) = rate.refill(perMinute: 60e9)
        maximum = maximumBuckets
    }

    /// The number of buckets in use.
    var count: Int { buckets.withLock { $0.fullAt.count } }

    /// Takes one request from a key's bucket.
    ///
    /// - Parameters:
    ///   - key: Whose bucket.
    ///   - now: A clock that only goes forward, in nanoseconds.
    /// - Returns: nil if the bucket had one; otherwise the seconds until it has one.
    func take(_ key: String, now: Int64) -> Int? {
        buckets.withLock { buckets in
            if let place = buckets.fullAt.index(forKey: key) {
                let (next, wait) = take(from: buckets.fullAt.values[place], now)
                buckets.fullAt.values[place] = next
                return wait
            }
            sweep(&buckets, now)
            guard buckets.fullAt.count < maximum else {
                let (next, wait) = take(from: buckets.overflowFullAt, now)
                buckets.overflowFullAt = next
                return wait
            }
            let (next, wait) = take(from: 0, now)
            buckets.fullAt[key] = next
            return wait
        }
    }

    /// Returns the seconds until a key's bucket has a request; nil if it has one now.
    func wait(for key: String, now: Int64) -> Int? {
        buckets.withLock { buckets in
            let isKnown = buckets.fullAt.count < maximum
            return take(from: buckets.fullAt[key] ?? (isKnown ? 0 : buckets.overflowFullAt), now).wait
        }
    }

    /// Empties a key's bucket for some seconds, as in the shared store; does nothing if all buckets are in use.
    func hold(_ key: String, seconds: Int, now: Int64) {
        buckets.withLock { buckets in
            sweep(&buckets, now)
            guard buckets.fullAt[key] != nil || buckets.fullAt.count < maximum else { return }
            let fullAt = now + Int64(seconds) * 1_000_000_000 + capacity - interval
            buckets.fullAt[key] = max(buckets.fullAt[key] ?? 0, fullAt)
        }
    }

    private func take(from fullAt: Int64, _ now: Int64) -> (fullAt: Int64, wait: Int?) {
        let next = max(fullAt, now) + interval
        let excess = next - now - capacity
        guard excess > 0 else { return (next, nil) }
        return (fullAt, Int((excess + 999_999_999) / 1_000_000_000))
    }

    /// Drops full buckets when few are left, at most once a second.
    private func sweep(_ buckets: inout Buckets, _ now: Int64) {
        guard buckets.fullAt.count >= maximum, now >= buckets.sweepAt else { return }
        buckets.sweepAt = now + 1_000_000_000
        buckets.fullAt = buckets.fullAt.filter { $0.value > now }
    }
}

extension LimitsConfiguration.Rate {
    /// Returns how long a bucket takes to be refilled, in units of which a minute has this number.
    ///
    /// Rounded up, with the capacity as a multiple, so that neither the rate nor the burst is exceeded.
    ///
    /// - Returns: The time for one request, and for an empty bucket.
    func refill(perMinute units: Double) -> (interval: Int64, capacity: Int64) {
        let interval = Int64((units / perMinute).rounded(.up))
        return (interval, interval * Int64(burst))
    }
}

/// A rate limit whose buckets are in a shared store, or in this process while the store is unavailable.
package final class RateLimit: Sendable {
    let local: RateLimiter
    /// Its setting in the configuration, with the values, for operators; nil if it has none.
    let setting: String?
    private let shared: SharedRate?

    /// Creates a rate limit.
    package init(_ local: RateLimiter, setting: String? = nil, shared: SharedRate? = nil) {
        self.local = local
        self.setting = setting
        self.shared = shared
    }

    /// Takes one request from a key's bucket, as ``RateLimiter`` does.
    func take(_ key: String, now: Int64) async -> Int? {
        switch await shared?.take(key) ?? .unavailable {
        case .taken: nil
        case .empty(let seconds): seconds
        case .unavailable: local.take(key, now: now)
        }
    }

    /// Takes one request as ``take(_:now:)`` does, and remembers locally when a shared bucket is empty, so that it is not
    /// asked again before.
    func charge(_ key: String, now: Int64) async -> Int? {
        guard shared != nil else { return local.take(key, now: now) }
        if let seconds = local.wait(for: key, now: now) { return seconds }
        let seconds = await take(key, now: now)
        if let seconds { local.hold(key, seconds: seconds, now: now) }
        return seconds
    }
}
