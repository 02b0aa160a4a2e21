extension ExpiringCache {
    /// The value, if there is one that can be used; its refresh is started if that is due.
    @inlinable
    func usableValue(for key: Key, needing needed: Int64) -> Value? {
        let now = clock.now
        switch core.withLock({ $0.state.lookUp(key, needing: needed, at: now) }) {
        case .fresh(let value):
            observer?(.hit(key))
            return value
        case .due(let value):
            observer?(.hit(key))
            refresh(key)
            return value
        case .miss:
            return nil
        }
    }

    /// Starts a fetch that nobody waits for, if one is due and may be started.
    @usableFromInline
    func refresh(_ key: Key) {
        handle(.refresh(key))
    }

    @usableFromInline
    nonisolated(nonsending) func fetchedValue(
        for key: Key,
        needing needed: Int64,
        timeout: Seconds?
    ) async throws -> Value {
        try Task.checkCancellation()
        let waiter = core.withLock { $0.state.nextID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(for: key, as: waiter, needing: needed, timeout: timeout) { continuation.resume(with: $0) }
                // If the task was cancelled before the waiter was registered, the handler below has missed it.
                if Task.isCancelled { leave(key, waiter, CancellationError()) }
            }
        } onCancel: {
            leave(key, waiter, CancellationError())
        }
    }

    /// Registers a waiter, which is answered exactly once; at once if nothing needs to be, or may be, fetched.
    func wait(
        for key: Key,
        as waiter: WaiterID,
        needing needed: Int64,
        timeout: Seconds?,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let flight = CurrentFlight.value
        let caller = flight?.cache == ObjectIdentifier(self) ? flight?.id : nil
        let effects = handle(.request(.init(key: key, waiter: waiter, needed: needed, caller: caller))) { core in
            core.waiters[waiter] = CacheCore.Waiter(completion: completion)
        }
        guard effects.answers.isEmpty else { return }
        let cancelTimeout = timer(timeout ?? configuration.callTimeout) { [weak self] in
            self?.leave(key, waiter, CacheError(.timedOut))
        }
        let isWaiting = core.withLock { core in
            core.waiters[waiter]?.cancelTimeout = cancelTimeout
            return core.waiters[waiter] != nil
        }
        if !isWaiting { cancelTimeout?() }
    }

    /// Takes a waiter away and answers it with an error, unless it was answered already.
    func leave(_ key: Key, _ waiter: WaiterID, _ error: any Error) {
        handle(.leave(key, waiter, error))
    }
}
