/// An event of a cache, for metrics and logs.
///
/// No event holds a value. Events of different threads may arrive out of order.
public enum CacheEvent<Key: Hashable & Sendable>: Sendable {
    /// A call returned a cached value immediately.
    case hit(Key)
    /// A call began to wait for a fetch.
    case wait(Key)
    /// A fetch was started.
    case fetchStarted(Key, FetchReason)
    /// A fetch ended, or was abandoned, after `duration` seconds.
    case fetchFinished(Key, FetchReason, duration: Seconds, FetchOutcome)
    /// A value was invalidated.
    case invalidated(Key)
    /// A value was removed with a call, and its running fetch was cancelled.
    case removed(Key)
    /// All values were removed with a call, and all running fetches were cancelled.
    case removedAll
    /// A value was evicted to make room for another.
    case evicted(Key)
    /// The wall clock was set forward, or back, by this number of seconds since the cache last read it.
    case clockJump(Seconds)
}

/// The outcome of a fetch.
public enum FetchOutcome: Sendable {
    /// The fetch returned a value.
    case success
    /// The fetch failed.
    case failure(CacheError)
}
