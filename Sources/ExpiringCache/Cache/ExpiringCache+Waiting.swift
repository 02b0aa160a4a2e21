extension ExpiringCache {
    @usableFromInline package typealias Entry = CacheEntry<Value>

    /// Returns the cached value if it is usable, and starts its refresh if that is due.
    @inlinable
    package func usableValue(for key: Key, needing needed: Int64) -> Value? {
        usable(key, needing: needed) { $0.value }
    }

    /// Returns the entry of the cached value if it is usable, and starts its refresh if that is due.
    @inlinable
    package func usableEntry(for key: Key, needing needed: Int64) -> Entry? {
        usable(key, needing: needed) { $0 }
    }

    @inlinable
    func usable<Part>(_ key: Key, needing needed: Int64, _ part: (Entry) -> Part) -> Part? {
        let now = clock.now
        switch core.withLock({ $0.state.lookUp(key, needing: needed, at: now, part) }) {
        case .fresh(let found):
            hitObserver?(.hit(key))
            return found
        case .due(let found):
            hitObserver?(.hit(key))
            refresh(key)
            return found
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
    nonisolated(nonsending) func fetchedValue(
        for key: Key,
        needing needed: Int64,
        timeout: Seconds?,
        isForced: Bool
    ) async throws -> Value {
        // A busy actor may resume only after its value has expired. That is worth one more fetch, but not two.
        for isForced in [isForced, false] {
            let entry = try await fetchedEntry(for: key, needing: needed, timeout: timeout, isForced: isForced)
            if let value = try takeLate(entry, of: key, needing: needed) { return value }
        }
        throw CacheError(.timedOut)
    }

    private nonisolated(nonsending) func fetchedEntry(
        for key: Key,
        needing needed: Int64,
        timeout: Seconds?,
        isForced: Bool
    ) async throws -> Entry {
        try Task.checkCancellation()
        let waiter = core.withLock { $0.state.nextID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(for: key, as: waiter, needing: needed, timeout: timeout, isForced: isForced) {
                    continuation.resume(with: $0)
                }
                // If the task was cancelled before the waiter was registered, the handler below missed it.
                if Task.isCancelled { leave(key, waiter: waiter, error: CancellationError()) }
            }
        } onCancel: {
            leave(key, waiter: waiter, error: CancellationError())
        }
    }

    /// Returns the result for a caller that got a value but resumes only now; `nil` if the value has expired meanwhile.
    package func takeLate(_ entry: Entry, of key: Key, needing needed: Int64) throws(CacheError) -> Value? {
        let now = clock.now
        let result = core.withLock { core in
            Result { () throws(CacheError) in try core.state.takeLate(entry, of: key, needing: needed, at: now) }
        }
        return try result.get()
    }

    /// Registers a waiter, which is resumed exactly once; immediately if no fetch is needed or allowed.
    func wait(
        for key: Key,
        as waiter: WaiterID,
        needing needed: Int64,
        timeout: Seconds?,
        isForced: Bool = false,
        completion: @escaping @Sendable (Result<Entry, any Error>) -> Void
    ) {
        let flight = CurrentFlight.value
        let caller = flight?.cache == ObjectIdentifier(self) ? flight?.id : nil
        let priority = Task.currentPriority
        var request = CacheState<Key, Value>.Request(key: key, waiter: waiter, needed: needed, caller: caller)
        request.isForced = isForced
        let effects = handle(.request(request)) { core in
            core.waiters[waiter] = CacheCore.Waiter(priority: priority, completion: completion)
        }
        guard effects.answers.isEmpty else { return }
        let cancelTimeout = timer(timeout ?? configuration.callTimeout) { [weak self] in
            self?.leave(key, waiter: waiter, error: CacheError(.timedOut))
        }
        let (isWaiting, slower) = core.withLock { core in
            core.waiters[waiter]?.cancelTimeout = cancelTimeout
            let isWaiting = core.waiters[waiter] != nil
            return (isWaiting, core.state.flights[key].flatMap { core.raise($0.id, to: priority) })
        }
        if !isWaiting { cancelTimeout?() }
        if let slower { Self.escalate(slower, to: priority) }
    }

    /// Removes a waiter and resumes it with an error, unless it was already resumed.
    func leave(_ key: Key, waiter: WaiterID, error: any Error) {
        handle(.leave(key, waiter, error))
    }

    /// Raises the priority of a fetch in the way that iOS 14 supports: a task gets the priority of a task that awaits
    /// it.
    static func escalate(_ fetch: Task<Void, Never>, to priority: TaskPriority) {
        Task.detached(priority: priority) { await fetch.value }
    }
}
