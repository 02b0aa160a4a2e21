extension ExpiringCache {
    /// Starts to fetch what isn't there or is due for a refresh, and doesn't wait.
    public func prefetch(_ keys: some Sequence<Key>) {
        for key in keys { refresh(key) }
    }

    /// Puts a value in that came from elsewhere.
    ///
    /// It replaces the present one, and a fetch that already runs won't replace it. An expired value is ignored.
    public func insert(_ fetched: Fetched<Value>, for key: Key) {
        handle(.insert(key, fetched))
    }

    /// Drops the value if it is the one that turned out to be of no use.
    ///
    /// The next call fetches a new one. Many callers may report the same value, even after it was replaced: only the
    /// first report has an effect. If new values are rejected as well, again and again, fetching pauses as after a
    /// failure. A fetch that is under way goes on, since it brings another value.
    ///
    /// - Parameters:
    ///   - key: Whose value.
    ///   - isRejected: Whether this is the value that was rejected.
    /// - Returns: Whether a value was dropped.
    @discardableResult
    public func invalidate(_ key: Key, where isRejected: (Value) -> Bool) -> Bool {
        // The comparison isn't ours, so it must not run under the lock. The version tells if the value is still there.
        guard let entry = core.withLock({ $0.state.entries[key] }), isRejected(entry.value) else { return false }
        return !handle(.invalidate(key, version: entry.version)).retired.isEmpty
    }

    /// Drops a key's value, which is no longer needed or must no longer be used.
    ///
    /// Callers who wait for it get ``CacheError/Code/removed``, and a fetch that is under way is given up. A callback that
    /// was given the value and still waits to be delivered is delivered.
    public func remove(_ key: Key) {
        handle(.remove(key))
    }

    /// Drops everything, as for a sign-out.
    ///
    /// A call that begins after it has returned never gets a value whose fetch began before. Callers who wait get
    /// ``CacheError/Code/removed``. Pauses after failures stay, for the source's sake; denials, rejections and fetches that
    /// hang are forgotten, since they were about the user who leaves.
    public func removeAll() {
        handle(.removeAll)
    }

    /// How many values are kept, expired ones included.
    public var count: Int {
        core.withLock { $0.state.entries.slots.count }
    }
}
