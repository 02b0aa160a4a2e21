/// Something that happened in a cache, for metrics and logs.
///
/// No event holds a value. Events of different threads may arrive in another order than they happened in.
public enum CacheEvent<Key: Hashable & Sendable>: Sendable {
    /// A call was answered at once.
    case hit(Key)
    /// A call began to wait for a fetch.
    case wait(Key)
    /// A fetch was started.
    case fetchStarted(Key, FetchReason)
    /// A fetch ended, or was given up, after so many seconds.
    case fetchFinished(Key, FetchReason, duration: Seconds, FetchOutcome)
    /// A value was invalidated.
    case invalidated(Key)
    /// A value was removed on demand, and a fetch of it given up.
    case removed(Key)
    /// All values were removed on demand, and all fetches given up.
    case removedAll
    /// A value made way for another.
    case evicted(Key)
    /// The wall clock was set forward, or back, by so many seconds since the cache last looked.
    case clockJump(Seconds)
}

/// How a fetch ended.
public enum FetchOutcome: Sendable {
    /// With a value.
    case success
    /// Without one.
    case failure(CacheError)
}
