/// A cache of values that expire and are fetched again: one fetch per key at a time, however many ask.
///
/// ```
/// let cache = ExpiringCache<String, Token> { name, _ in
///     let answer = try await client.token(named: name)
///     return Fetched(answer.token, lifetime: answer.expiresIn)
/// }
/// let token = try await cache.value(for: "trip-1")
/// ```
///
/// - A hit is synchronous, takes a lock for a moment and allocates nothing.
/// - Callers who ask for the same key while it is being fetched wait for the one fetch. Cancelling one of them affects
///   neither the fetch nor the others.
/// - A value is refreshed before it expires, while callers go on getting it; if the refresh fails they still do, until
///   it expires, and never after.
/// - After a failure a key isn't fetched again for a while, which grows with each failure. Callers who would have to
///   wait for that fail at once and are told when to try again.
/// - Nothing happens without a caller: there is no timer that keeps values fresh.
///
/// All methods can be called from anywhere, from within the fetch function and the observer too. When the last
/// reference to the cache goes, its fetches are cancelled and callbacks that still wait are called with
/// ``CacheError/Code/closed``.
public final class ExpiringCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Fetches the value of a key.
    ///
    /// It runs in a task of its own, which inherits nothing from a caller and is cancelled when the fetch has taken too
    /// long or the cache is emptied or released. It may throw any error; one that conforms to ``FetchFailure`` says
    /// whether trying again may help.
    public typealias FetchFunction = @Sendable (Key, FetchContext) async throws -> Fetched<Value>

    /// Is told what happens.
    ///
    /// It is called often and on the way of a caller's answer, so it must be quick.
    public typealias Observer = @Sendable (CacheEvent<Key>) -> Void

    let configuration: CacheConfiguration
    @usableFromInline
    let core: Lock<CacheCore<Key, Value>>
    @usableFromInline
    let clock: CacheClock
    let scheduler: CacheScheduler
    let random: @Sendable () -> Double
    let observer: Observer?
    /// The observer, if it wants to know of hits too.
    @usableFromInline
    let hitObserver: Observer?
    let fetch: FetchFunction

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - configuration: Its settings.
    ///   - clock: The clocks from which values get their age.
    ///   - scheduler: Runs timeouts.
    ///   - random: Draws a number between 0 and 1, for what must not happen everywhere at once.
    ///   - observer: Is told what happens.
    ///   - observesHits: Whether it is told of hits, which is most of what happens.
    ///   - fetch: Fetches the value of a key.
    public init(
        configuration: CacheConfiguration = CacheConfiguration(),
        clock: CacheClock = .system,
        scheduler: CacheScheduler = .system,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        observer: Observer? = nil,
        observesHits: Bool = true,
        fetch: @escaping FetchFunction
    ) {
        self.configuration = configuration
        self.core = Lock(CacheCore(configuration))
        self.clock = clock
        self.scheduler = scheduler
        self.random = random
        self.observer = observer
        hitObserver = observesHits ? observer : nil
        self.fetch = fetch
    }

    deinit {
        let (fetches, waiters) = core.withLock { ($0.fetches.values, $0.waiters.values) }
        for fetch in fetches {
            fetch.task.cancel()
            fetch.cancelTimeout?()
        }
        for waiter in waiters {
            waiter.cancelTimeout?()
            waiter.completion(.failure(CacheError(.closed)))
        }
    }

    /// The value, if there is one that can be used.
    ///
    /// It starts no fetch, not even a refresh that is due.
    ///
    /// - Parameters:
    ///   - key: Whose value.
    ///   - validFor: For how many seconds the value must still be valid, at least.
    /// - Returns: The value; `nil` if there is none, or none that is valid for so long.
    @inlinable
    public func cachedValue(for key: Key, validFor: Seconds = 0) -> Value? {
        let needed = Int64(nanosecondsIn: validFor)
        let now = clock.now
        switch core.withLock({ $0.state.lookUp(key, needing: needed, at: now) }) {
        case .fresh(let entry), .due(let entry):
            hitObserver?(.hit(key))
            return entry.value
        case .miss:
            return nil
        }
    }

    /// The value: the one that is kept, or one that is fetched.
    ///
    /// - Parameters:
    ///   - key: Whose value.
    ///   - validFor: For how many seconds the value must still be valid, at least. Unlike the configuration's
    ///     `minimumRemaining`, it isn't reduced for values that live shorter. To get a value no older than some time,
    ///     pass its lifetime less that time.
    ///   - timeout: For how many seconds to wait; `nil` for the configuration's choice.
    ///   - isForced: Whether to fetch a value even if there is one that can be used. A fetch that is under way will do.
    /// - Returns: The value.
    /// - Throws: ``CacheError``, or `CancellationError` if the current task is cancelled while it waits.
    @inlinable
    nonisolated(nonsending) public func value(
        for key: Key,
        validFor: Seconds = 0,
        timeout: Seconds? = nil,
        isForced: Bool = false
    ) async throws -> Value {
        let needed = Int64(nanosecondsIn: validFor)
        if !isForced, let entry = usableEntry(for: key, needing: needed) { return entry.value }
        return try await fetchedValue(for: key, needing: needed, timeout: timeout, isForced: isForced)
    }
}
