package import Timing

/// A cache of expiring values that it fetches and refreshes, with at most one fetch per key at a time.
///
/// ```
/// let cache = ExpiringCache<String, Token> { name, _ in
///     let answer = try await client.token(named: name)
///     return Fetched(answer.token, lifetime: answer.expiresIn)
/// }
/// let token = try await cache.value(for: "trip-1")
/// ```
///
/// - A hit is synchronous, holds a lock briefly and allocates nothing.
/// - Concurrent callers for the same key share one fetch. Cancelling one of them affects neither the fetch nor the
///   others.
/// - A value is refreshed before it expires, while callers continue to get it. If the refresh fails, they get it until
///   it expires, and never after.
/// - After a failure, fetches of the key pause for a time that grows with each failure. Callers that would have to wait
///   for the pause fail immediately and learn when to retry.
/// - The cache does nothing without a caller: no timer keeps values fresh.
///
/// All methods can be called from any context, including the fetch function and the observer. When the last reference
/// to the cache is released, its fetches are cancelled.
///
/// ## How it works
///
/// `CacheState` is a state machine without clock, lock or task: an input and the time go in, effects come out. The cache
/// holds the lock around one step and performs the effects after it: start a fetch, resume callers, report events.
///
/// ```
///           request                    succeed
///  absent ───────────► in flight ───────────────────► usable ──(refresh ahead)──► usable, in flight
///     ▲                    │ fail                        │ expires or is invalidated
///     └──── pause ends ── paused ◄───────────────────────┘ and the next fetch fails
/// ```
package final class ExpiringCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Fetches the value for a key.
    ///
    /// It runs in its own task, which inherits nothing from a caller and is cancelled when the fetch times out or the
    /// cache is emptied or released. It may throw any error; an error that conforms to ``FetchFailure`` says whether a
    /// retry may help.
    package typealias FetchFunction = @Sendable (Key, FetchReason) async throws -> Fetched<Value>

    /// Receives the events of a cache.
    ///
    /// It is called often, and before a caller gets its result, so it must be quick.
    package typealias Observer = @Sendable (CacheEvent<Key>) -> Void

    let configuration: CacheConfiguration
    @usableFromInline
    let core: Lock<CacheCore<Key, Value>>
    @usableFromInline
    let clock: AgeClock
    let scheduler: Scheduler
    let random: @Sendable () -> Double
    let observer: Observer?
    /// The observer, if it also receives hits.
    @usableFromInline
    let hitObserver: Observer?
    let fetch: FetchFunction

    /// Creates an empty cache.
    ///
    /// `random` returns a number between 0 and 1, which spreads refreshes and retries in time. Hits are most of the events: the
    /// observer receives them if it `observesHits`.
    package init(
        configuration: CacheConfiguration = CacheConfiguration(),
        clock: AgeClock = .system,
        scheduler: Scheduler = .system,
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
        // A caller that waits keeps the cache.
        for fetch in core.withLock({ $0.fetches.values }) {
            fetch.task.cancel()
            fetch.cancelTimeout()
        }
    }

    /// Returns the cached value, if it is usable.
    ///
    /// It starts no fetch, not even a refresh that is due.
    ///
    /// - Returns: The value; `nil` if there is none, or none with the required remaining lifetime in seconds.
    @inlinable
    package func cachedValue(for key: Key, validFor: Seconds = 0) -> Value? {
        let needed = Int64(nanosecondsIn: validFor)
        let now = clock.now
        switch core.withLock({ $0.state.lookUp(key, needing: needed, at: now) { $0.value } }) {
        case .fresh(let value), .due(let value):
            hitObserver?(CacheEvent(name: .hit, key: key))
            return value
        case .miss:
            return nil
        }
    }
}

extension ExpiringCache {
    /// Starts a fetch if the value is missing or due for a refresh, without waiting for it.
    package func prefetch(_ keys: some Sequence<Key>) {
        for key in keys { refresh(key) }
    }

    /// Inserts a value that was not fetched by the cache.
    ///
    /// It replaces the cached value, and a running fetch doesn't overwrite it. An expired value is ignored.
    package func insert(_ fetched: Fetched<Value>, for key: Key) {
        handle(.insert(key, fetched))
    }

    /// Drops the cached value if `isRejected` says that it is the one.
    ///
    /// The next call fetches a new value. Many callers may report the same value, even after it was replaced: only the
    /// first report has an effect. If new values are rejected repeatedly as well, fetching pauses as after a failure. A
    /// running fetch continues, because it returns a new value.
    ///
    /// - Returns: Whether a value was dropped.
    @discardableResult
    package func invalidate(_ key: Key, where isRejected: (Value) -> Bool) -> Bool {
        // The comparison is the caller's code, so it must not run under the lock. The version identifies the value
        // afterwards.
        guard let entry = core.withLock({ $0.state.entries[key] }), isRejected(entry.value) else { return false }
        return !handle(.invalidate(key, version: entry.version)).retired.isEmpty
    }

    /// Removes the value for a key.
    ///
    /// Callers that wait for it get ``CacheError/Code/removed``, and a running fetch is cancelled.
    package func remove(_ key: Key) {
        handle(.remove(key))
    }

    /// Removes all values, for example at sign-out.
    ///
    /// A call that begins after this method returns never gets a value whose fetch began before. Waiting callers get
    /// ``CacheError/Code/removed``. Pauses after failures remain, to protect the source; denials, rejections and
    /// hanging fetches are forgotten, because they concern the user who signed out.
    package func removeAll() {
        handle(.removeAll)
    }

    /// Removes all values as ``removeAll()`` does, but fetches again for the callers who wait.
    ///
    /// It is for a source whose credentials have changed. Running fetches are cancelled. A caller that was given a value
    /// but has not resumed yet gets one that is fetched after this.
    package func renewAll() {
        handle(.renewAll)
    }

    /// Whether a fetch runs or is queued.
    package var isFetching: Bool {
        core.withLock { !$0.state.flights.isEmpty }
    }

    /// Returns the usable value, or the error that a call would fail with immediately; nil if a call would wait.
    package func peek(_ key: Key) -> Result<Value, CacheError>? {
        let now = clock.now
        return core.withLock { core in
            if let entry = core.state.usableEntry(key, at: now) { return .success(entry.value) }
            guard core.state.flights[key] == nil else { return nil }
            return core.state.refusal(of: key, at: now).map { .failure($0) }
        }
    }
}
