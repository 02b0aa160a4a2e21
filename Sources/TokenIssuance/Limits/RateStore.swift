/// A place outside this process where buckets are kept, so that replicas share them.
package protocol RateStore: Sendable {
    /// Takes one request from a bucket. It never waits long, and never throws: it may be away.
    func take(_ bucket: RateBucket) async -> RateAnswer
}

/// A bucket in a ``RateStore``: by how much it is emptied, and how much it holds.
package struct RateBucket: Sendable, Hashable {
    /// The name in the store; nobody's ID can be read in it.
    package let key: String
    /// Microseconds that one request takes to be refilled.
    package let interval: Int64
    /// Microseconds that an empty bucket takes to be full.
    package let capacity: Int64

    /// Creates a rate bucket.
    package init(key: String, interval: Int64, capacity: Int64) {
        self.key = key
        self.interval = interval
        self.capacity = capacity
    }
}

/// What a ``RateStore`` says.
package enum RateAnswer: Sendable, Hashable {
    /// The bucket had one.
    case taken
    /// It will have one after so many seconds.
    case empty(seconds: Int)
    /// The store doesn't know; ask elsewhere.
    case away
}
