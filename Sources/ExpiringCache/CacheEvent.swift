public import Timing

/// An event of a cache, for metrics and logs.
///
/// No event holds a value. Events of different threads may arrive out of order.
@usableFromInline
package struct CacheEvent<Key: Hashable & Sendable>: Sendable {
    @usableFromInline
    package enum Name: String, Sendable {
        /// A call returned a cached value immediately.
        case hit
        /// A call began to wait for a fetch.
        case wait
        /// A fetch was started, or queued: `maximumConcurrentFetches` run already, or the source recovers from a pause.
        case fetchStarted
        /// A fetch ended or was abandoned; without an error it returned a value.
        case fetchFinished
        /// A value was invalidated.
        case invalidated
        /// A key's value was removed with a call, or all values; then the key is nil. Running fetches were cancelled.
        case removed
        /// A value was evicted to make room for another.
        case evicted
    }

    package let name: Name
    package var key: Key?
    /// The reason for a fetch.
    package var reason: FetchReason?
    /// The duration of a fetch from its start.
    package var duration: Seconds?
    package var error: CacheError?

    @usableFromInline
    init(
        name: Name,
        key: Key? = nil,
        reason: FetchReason? = nil,
        duration: Seconds? = nil,
        error: CacheError? = nil
    ) {
        self.name = name
        self.key = key
        self.reason = reason
        self.duration = duration
        self.error = error
    }
}

/// The reason for a fetch.
@usableFromInline
package enum FetchReason: String, Hashable, Sendable {
    /// No value was cached.
    case missing
    /// The cached value was too old to use.
    case expired
    /// The cached value will soon be too old; no caller waits for this fetch at first.
    case refreshAhead
    /// The cached value is usable, but a caller requires a longer remaining lifetime.
    case insufficient
    /// The cached value was invalidated: a source with its own cache should be told to return a new value.
    case rejected
}
