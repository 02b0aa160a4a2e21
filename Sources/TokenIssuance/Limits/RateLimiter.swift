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

    /// Its setting in the configuration, with the values, for operators; nil if it has none.
    let setting: String?
    /// The nanoseconds in which one request is refilled.
    private let interval: Int64
    /// The nanoseconds in which an empty bucket is refilled.
    private let capacity: Int64
    private let maximum: Int
    private let buckets = Mutex(Buckets())

    /// Creates full buckets.
    package init(
        _ rate: LimitsConfiguration.Rate,
        setting: String? = nil,
        maximumBuckets: Int = RateLimiter.maximumBuckets
    ) {
        // Rounded up, with the capacity as a multiple, so that neither the rate nor the burst is exceeded.
        interval = Int64((60e9 / rate.perMinute).rounded(.up))
        capacity = interval * Int64(rate.burst)
        self.setting = setting
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
            if let index = buckets.fullAt.index(forKey: key) {
                let (next, wait) = take(from: buckets.fullAt.values[index], now)
                buckets.fullAt.values[index] = next
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
