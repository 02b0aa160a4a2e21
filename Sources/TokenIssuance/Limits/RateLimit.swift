/// A rate limit whose buckets are in a shared store, or in this process while the store is unavailable.
package final class RateLimit: Sendable {
    let local: RateLimiter
    /// Its setting in the configuration, with the values, for operators; nil if it has none.
    let setting: String?
    private let shared: SharedRate?

    /// Creates a rate limit.
    ///
    /// - Parameters:
    ///   - local: The limiter of this process.
    ///   - setting: Its setting in the configuration, with the values.
    ///   - shared: The buckets that replicas share. While their store is unavailable, each uses its own limiter.
    package init(_ local: RateLimiter, setting: String? = nil, shared: SharedRate? = nil) {
        self.local = local
        self.setting = setting
        self.shared = shared
    }

    /// Takes one request from a key's bucket.
    ///
    /// - Parameters:
    ///   - key: Whose bucket.
    ///   - now: A clock that only goes forward, in nanoseconds, for a bucket in this process.
    /// - Returns: nil if the bucket had one; otherwise the seconds until it has one.
    func take(_ key: String, now: Int64) async -> Int? {
        switch await shared?.take(key) ?? .unavailable {
        case .taken: nil
        case .empty(let seconds): seconds
        case .unavailable: local.take(key, now: now)
        }
    }

    /// Takes one request from a key's bucket, and remembers locally when it is empty, so that ``wait(for:now:)`` needs
    /// no call.
    ///
    /// - Parameters:
    ///   - key: Whose bucket.
    ///   - now: A clock that only goes forward, in nanoseconds.
    /// - Returns: nil if the bucket had one; otherwise the seconds until it has one.
    func charge(_ key: String, now: Int64) async -> Int? {
        if let seconds = wait(for: key, now: now) { return seconds }
        let seconds = await take(key, now: now)
        if shared != nil, let seconds { local.hold(key, seconds: seconds, now: now) }
        return seconds
    }

    /// Returns the seconds until a key's bucket has a request, as known locally; nil if it has one now.
    func wait(for key: String, now: Int64) -> Int? { local.wait(for: key, now: now) }
}
