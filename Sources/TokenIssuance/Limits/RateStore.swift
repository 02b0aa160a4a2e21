/// A store of buckets outside this process, which replicas share.
package protocol RateStore: Sendable {
    /// Takes one request from a bucket. It never waits long and never throws: the store may be unavailable.
    func take(_ bucket: RateBucket) async -> RateResult
}

/// A bucket in a ``RateStore``: by how much it is emptied, and how much it holds.
package struct RateBucket: Sendable, Hashable {
    /// The name in the store, which reveals no ID.
    package let key: String
    /// The microseconds in which one request is refilled.
    package let interval: Int64
    /// The microseconds in which an empty bucket is refilled.
    package let capacity: Int64

    /// Creates a rate bucket.
    package init(key: String, interval: Int64, capacity: Int64) {
        self.key = key
        self.interval = interval
        self.capacity = capacity
    }
}

/// The result of a ``RateStore`` call.
package enum RateResult: Sendable, Hashable {
    /// The bucket had a request.
    case taken
    /// The bucket will have a request after these seconds.
    case empty(seconds: Int)
    /// The store is unavailable; use local limits.
    case unavailable
}
