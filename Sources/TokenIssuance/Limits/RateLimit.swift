/// A rate, and where its buckets are kept: in a store that replicas share, and in this process while that is away.
package struct RateLimit: Sendable {
    let local: RateLimiter
    private let shared: SharedRate?

    /// A rate whose buckets are in this process only.
    package init(_ local: RateLimiter) {
        self.local = local
        shared = nil
    }

    /// A rate whose buckets replicas share.
    ///
    /// While the store is away each replica has a limiter of its own, with the same rate.
    package init(_ local: RateLimiter, shared: SharedRate) {
        self.local = local
        self.shared = shared
    }

    /// Takes one request from a key's bucket.
    ///
    /// - Parameters:
    ///   - key: Whose bucket.
    ///   - now: A clock that only goes forward, in nanoseconds, for a bucket in this process.
    /// - Returns: nil when the bucket had one, else the seconds after which it will.
    func take(_ key: String, now: Int64) async -> Int? {
        guard let shared else { return local.take(key, now: now) }
        switch await shared.take(key) {
        case .taken: return nil
        case .empty(let seconds): return seconds
        case .away: return local.take(key, now: now)
        }
    }

    /// Takes one request from a key's bucket, and remembers here when it is empty, so that ``wait(for:now:)`` needs to
    /// ask nobody.
    ///
    /// - Parameters:
    ///   - key: Whose bucket.
    ///   - now: A clock that only goes forward, in nanoseconds.
    /// - Returns: nil when the bucket had one, else the seconds after which it will.
    func charge(_ key: String, now: Int64) async -> Int? {
        if let seconds = wait(for: key, now: now) { return seconds }
        let seconds = await take(key, now: now)
        if shared != nil, let seconds { local.hold(key, seconds: seconds, now: now) }
        return seconds
    }

    /// After how many seconds a key's bucket will have a request, as far as is known here; nil when it has one now.
    func wait(for key: String, now: Int64) -> Int? { local.wait(for: key, now: now) }
}
