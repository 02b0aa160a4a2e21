/// The settings of a cache.
public struct CacheConfiguration: Hashable, Sendable {
    /// How many values are kept; at least one.
    ///
    /// Beyond it the expired go first, then those not used for longest, approximately. As many failed keys are
    /// remembered.
    public var capacity = 1_000

    /// How long a value must still live to be handed out; half its lifetime where that is less.
    ///
    /// It covers the way of the value to whoever checks it, and that one's clock. Half a lifetime keeps values useful
    /// that live shorter than this.
    public var minimumRemaining: Seconds = 30

    /// How long before a value may no longer be handed out its refresh begins, at the earliest.
    ///
    /// It is a fifth of the value's lifetime where that is less, and zero turns refreshing ahead off. The actual moment
    /// is drawn once per value from the first half of that span, so that clients whose values began together don't
    /// refresh together. The second half, five minutes by default, is left for a source that is away.
    public var refreshAhead: Seconds = 600

    /// After how long a fetch is given up.
    ///
    /// Its task is cancelled, its waiters fail, and it counts as failed even if it should end later.
    public var fetchTimeout: Seconds = 10

    /// How long a call waits, unless it says otherwise.
    public var callTimeout: Seconds = 30

    /// The pause after a first failure and the longest pause; it doubles with each failure in between.
    ///
    /// Half of a pause is fixed and half is drawn at random: the fixed half bounds the rate of fetches whatever the
    /// callers do, the random one keeps clients apart.
    public var backoff: ClosedRange<Seconds> = 0.5...30

    /// The longest wait that a source can ask for (``FetchRetry/retryable(after:)``), our own pause included.
    public var maximumRetryAfter: Seconds = 3_600

    /// How long a permanent failure is remembered before the source is asked again.
    public var denialLifetime: Seconds = 30

    /// How many fetches may run at once, of all keys together; at least one.
    ///
    /// By default there is no limit. Further ones wait for their turn: those that callers wait for before refreshes, then in the order in which they
    /// came. Their `fetchTimeout` and the lives of their values begin with their turn. A fetch that was given up no
    /// longer counts, even if it runs on.
    public var maximumConcurrentFetches = Int.max

    /// How many fetches of one key may still be running after they were given up; at least one.
    ///
    /// Only a fetch function that ignores cancellation reaches it. Further fetches of that key are then refused
    /// (``CacheError/Code/stuck``) until one of those ends, is older than ``abandonedFetchLifetime``, or everything is
    /// removed.
    public var maximumAbandonedFetches = 3

    /// For how long a fetch that was given up counts as still running.
    ///
    /// A fetch that waits for a lost callback never ends. Without this, a few of them would make their key unusable.
    public var abandonedFetchLifetime: Seconds = 60

    /// The defaults: for values that live minutes or hours and are fetched over a network.
    public init() {}
}
