import Timing

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

    /// Drops the cached value if it is the value that was rejected.
    ///
    /// The next call fetches a new value. Many callers may report the same value, even after it was replaced: only the
    /// first report has an effect. If new values are rejected repeatedly as well, fetching pauses as after a failure. A
    /// running fetch continues, because it returns a new value.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - isRejected: Returns whether a value is the rejected one.
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
    /// Callers that wait for it get ``CacheError/Code/removed``, and a running fetch is cancelled. A callback that
    /// already has the value and only waits for delivery still gets it.
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
    /// but has not resumed yet, or whose callback waits for delivery, gets a value that is fetched after this.
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

    /// The number of cached values, including expired ones.
    package var count: Int {
        core.withLock { $0.state.entries.slots.count }
    }
}
