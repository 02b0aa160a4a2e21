extension ExpiringCache {
    /// The value, if there is one that can be used; its refresh is started if that is due.
    func usableValue(for key: Key, needing needed: Int64) -> Value? {
        let now = clock.now
        switch core.withLock({ $0.state.lookUp(key, needing: needed, at: now) }) {
        case .fresh(let value):
            observer?(.hit(key))
            return value
        case .due(let value):
            observer?(.hit(key))
            handle(.refresh(key))
            return value
        case .miss:
            return nil
        }
    }

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

    func wait(
        for key: Key,
        as waiter: WaiterID,
        needing needed: Int64,
        timeout: Seconds?,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let flight = CurrentFlight.value
        let caller = flight?.cache == ObjectIdentifier(self) ? flight?.id : nil
        let request = CacheState<Key, Value>.Request(key: key, waiter: waiter, needed: needed, caller: caller)
        let now = clock.now
        let work = core.withLock { core in
            core.waiters[waiter] = CacheCore.Waiter(completion: completion)
            return core.handle(.request(request), at: now)
        }
        perform(work)
        guard work.effects.answers.isEmpty else { return }
        limit(waiter, of: key, to: timeout ?? configuration.callTimeout)
    }

    /// Removes a waiter and answers it with an error, unless it was answered already.
    func leave(_ key: Key, _ waiter: WaiterID, _ error: any Error) {
        handle(.leave(key, waiter, error))
    }

    private func limit(_ waiter: WaiterID, of key: Key, to timeout: Seconds) {
        guard timeout < .infinity else { return }
        let cancel = scheduler.schedule(timeout) { [weak self] in
            self?.leave(key, waiter, CacheError(.timedOut))
        }
        let isWaiting = core.withLock { core in
            core.waiters[waiter]?.cancelTimeout = cancel
            return core.waiters[waiter] != nil
        }
        if !isWaiting { cancel() }
    }
}
