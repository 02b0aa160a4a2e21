package import Timing

extension ExpiringCache {
    /// Returns the value for a key, from the cache or from a fetch.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - validFor: The minimum remaining lifetime of the value, in seconds. Unlike the configuration's
    ///     `minimumRemaining`, it isn't reduced for short-lived values. To limit the age of a value, pass its lifetime
    ///     minus the maximum age.
    /// - Returns: The value.
    /// - Throws: ``CacheError``, or `CancellationError` if the current task is cancelled while it waits.
    @inlinable
    nonisolated(nonsending) package func value(for key: Key, validFor: Seconds = 0) async throws -> Value {
        let needed = Int64(nanosecondsIn: validFor)
        if let value = usableValue(for: key, needing: needed) { return value }
        return try await fetchedValue(for: key, needing: needed)
    }

    /// Returns the cached value if it is usable, and starts its refresh if that is due.
    @inlinable
    package func usableValue(for key: Key, needing needed: Int64 = 0) -> Value? {
        let now = clock.now
        switch core.withLock({ $0.state.lookUp(key, needing: needed, at: now) { $0.value } }) {
        case .fresh(let value):
            hitObserver?(CacheEvent(name: .hit, key: key))
            return value
        case .due(let value):
            hitObserver?(CacheEvent(name: .hit, key: key))
            refresh(key)
            return value
        case .miss:
            return nil
        }
    }

    /// Starts a background fetch if the value is missing or due for a refresh and fetching is allowed.
    @usableFromInline
    func refresh(_ key: Key) {
        handle(.refresh(key))
    }

    @usableFromInline
    nonisolated(nonsending) func fetchedValue(for key: Key, needing needed: Int64) async throws -> Value {
        var hasExpired = false
        while true {
            let entry = try await fetchedEntry(for: key, needing: needed)
            // A busy actor may resume only after its value has expired, or was removed.
            let now = clock.now
            switch core.withLock({ $0.state.take(entry, of: key, needing: needed, at: now) }) {
            case .value(let value): return value
            case .removed: throw CacheError(.removed)
            case .renewed: break
            // That is worth one more fetch, but not two.
            case .expired where hasExpired: throw CacheError(.timedOut)
            case .expired: hasExpired = true
            }
        }
    }

    private nonisolated(nonsending) func fetchedEntry(
        for key: Key,
        needing needed: Int64
    ) async throws -> CacheEntry<Value> {
        try Task.checkCancellation()
        let waiter = core.withLock { $0.state.nextID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(for: key, needing: needed, as: waiter, continuation)
                // If the task was cancelled before the waiter was registered, the handler below missed it.
                if Task.isCancelled { leave(key, waiter: waiter, error: CancellationError()) }
            }
        } onCancel: {
            leave(key, waiter: waiter, error: CancellationError())
        }
    }

    /// Registers a waiter, which is resumed exactly once; immediately if no fetch is needed or allowed.
    private func wait(
        for key: Key,
        needing needed: Int64,
        as waiter: WaiterID,
        _ continuation: CheckedContinuation<CacheEntry<Value>, any Error>
    ) {
        let flight = CurrentFlight.value
        let request = CacheState<Key, Value>.Request(
            key: key,
            waiter: waiter,
            needed: needed,
            caller: flight?.cache == ObjectIdentifier(self) ? flight?.id : nil
        )
        let effects = handle(.request(request)) { $0.waiters[waiter] = CacheCore.Waiter(continuation: continuation) }
        guard effects.answers.isEmpty else { return }
        let cancelTimeout = timer(configuration.callTimeout) { [weak self] in
            self?.leave(key, waiter: waiter, error: CacheError(.timedOut))
        }
        let isWaiting = core.withLock { core in
            core.waiters[waiter]?.cancelTimeout = cancelTimeout
            return core.waiters[waiter] != nil
        }
        if !isWaiting { cancelTimeout?() }
    }

    /// Removes a waiter and resumes it with an error, unless it was already resumed.
    private func leave(_ key: Key, waiter: WaiterID, error: any Error) {
        handle(.leave(key, waiter, error))
    }
}
