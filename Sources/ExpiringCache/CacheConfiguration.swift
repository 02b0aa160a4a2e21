package import Timing

/// The settings of a cache, in seconds and numbers.
package struct CacheConfiguration: Hashable, Sendable {
    /// The maximum number of cached values, and of failed keys that are remembered; at least one.
    ///
    /// Beyond it, expired values are evicted first, then approximately the least recently used.
    package var capacity = 1_000
    /// The minimum remaining lifetime of a returned value; half the value's lifetime where that is less.
    package var minimumRemaining: Seconds = 30
    /// How long before a value becomes unusable its refresh begins at the earliest; at most a fifth of its lifetime.
    ///
    /// The actual moment is drawn once per value from the first half of that span, so that clients whose values began
    /// together don't refresh together. The second half is left for an outage of the source.
    package var refreshAhead: Seconds = 600
    /// The time limit of a fetch, after which its waiters fail and its result doesn't count.
    package var fetchTimeout: Seconds = 10
    /// The maximum time that a call waits, unless it specifies its own timeout.
    package var callTimeout: Seconds = 30
    /// The pause after the first failure and the maximum pause; the pause doubles with each failure.
    ///
    /// The fixed half of a pause bounds the rate of fetches, the random half spreads the clients.
    package var backoff: ClosedRange<Seconds> = 0.5...30
    /// The maximum delay that a source can request, including the cache's own pause.
    package var maximumRetryAfter: Seconds = 3_600
    /// How long a permanent failure is remembered before the next fetch.
    package var denialLifetime: Seconds = 30
    /// The maximum number of concurrent fetches of all keys together; at least one.
    ///
    /// Further fetches are queued: those that callers wait for go before refreshes, then in order of arrival.
    package var maximumConcurrentFetches = Int.max
    /// The maximum number of abandoned fetches of one key that may still be running; at least one.
    ///
    /// Only a fetch function that ignores cancellation reaches it.
    package var maximumAbandonedFetches = 3
    /// How long an abandoned fetch counts as still running: one that waits for a lost callback never ends.
    package var abandonedFetchLifetime: Seconds = 60

    /// Creates the default configuration, for values that live minutes or hours and are fetched over a network.
    package init() {}
}
