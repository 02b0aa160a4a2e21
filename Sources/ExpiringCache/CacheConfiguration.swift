/// The settings of a cache.
public struct CacheConfiguration: Hashable, Sendable {
    /// The maximum number of cached values; at least one.
    ///
    /// Beyond it, expired values are evicted first, then approximately the least recently used. The same number of
    /// failed keys is remembered.
    public var capacity = 1_000

    /// The minimum remaining lifetime of a returned value, in seconds; half the value's lifetime where that is less.
    ///
    /// It covers the time until the value is verified, and the clock skew of the verifier. The limit of half a lifetime
    /// keeps short-lived values usable.
    public var minimumRemaining: Seconds = 30

    /// How long before a value becomes unusable its refresh begins at the earliest, in seconds.
    ///
    /// It is limited to a fifth of the value's lifetime; zero disables refreshing ahead. The actual moment is drawn
    /// once per value from the first half of that span, so that clients whose values began together don't refresh
    /// together. The second half, five minutes by default, is left for an outage of the source.
    public var refreshAhead: Seconds = 600

    /// The time limit of a fetch, in seconds.
    ///
    /// After it the fetch's task is cancelled, its waiters fail, and the fetch counts as failed even if it ends later.
    public var fetchTimeout: Seconds = 10

    /// The maximum time that a call waits, in seconds, unless the call specifies its own timeout.
    public var callTimeout: Seconds = 30

    /// The pause after the first failure and the maximum pause, in seconds; the pause doubles with each failure.
    ///
    /// Half of a pause is fixed and half is random: the fixed half bounds the rate of fetches regardless of the
    /// callers, the random half spreads the clients.
    public var backoff: ClosedRange<Seconds> = 0.5...30

    /// The maximum delay that a source can request (``FetchRetry/retryable(after:)``), including the cache's own pause.
    public var maximumRetryAfter: Seconds = 3_600

    /// How long a permanent failure is remembered before the next fetch, in seconds.
    public var denialLifetime: Seconds = 30

    /// The maximum number of concurrent fetches of all keys together; at least one.
    ///
    /// There is no limit by default. Further fetches are queued: those that callers wait for go before refreshes, then
    /// in order of arrival. Their `fetchTimeout` and the lifetimes of their values count from the start of the fetch.
    /// An abandoned fetch no longer counts, even if it still runs.
    public var maximumConcurrentFetches = Int.max

    /// The maximum number of abandoned fetches of one key that may still be running; at least one.
    ///
    /// Only a fetch function that ignores cancellation reaches it. Further fetches of that key are refused
    /// (``CacheError/Code/stuck``) until an abandoned fetch ends, is older than ``abandonedFetchLifetime``, or all
    /// values are removed.
    public var maximumAbandonedFetches = 3

    /// How long an abandoned fetch counts as still running, in seconds.
    ///
    /// A fetch that waits for a lost callback never ends. Without this bound, a few such fetches would block their key
    /// permanently.
    public var abandonedFetchLifetime: Seconds = 60

    /// Creates the default configuration, for values that live minutes or hours and are fetched over a network.
    public init() {}
}
