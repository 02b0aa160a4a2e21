package import Timing

extension ExpiringCache {
    /// Returns the value for a key, from the cache or from a fetch.
    ///
    /// `validFor` is the minimum remaining lifetime of the value, in seconds. Unlike the configuration's `minimumRemaining`,
    /// it isn't reduced for short-lived values. To limit the age of a value, pass its lifetime minus the maximum age.
    ///
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
                if Task.isCancelled { handle(.leave(key, waiter, CancellationError())) }
            }
        } onCancel: {
            handle(.leave(key, waiter, CancellationError()))
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
        let cancelTimeout = scheduler.schedule(configuration.callTimeout) { [weak self] in
            self?.handle(.leave(key, waiter, CacheError(.timedOut)))
        }
        let isWaiting = core.withLock { core in
            core.waiters[waiter]?.cancelTimeout = cancelTimeout
            return core.waiters[waiter] != nil
        }
        if !isWaiting { cancelTimeout() }
    }
}

extension ExpiringCache {
    /// Passes an input to the state machine and carries out its decisions, which it returns; `prepare` runs before, under the
    /// same lock.
    @discardableResult
    func handle(
        _ input: CacheState<Key, Value>.Input,
        prepare: (inout CacheCore<Key, Value>) -> Void = { _ in }
    ) -> CacheState<Key, Value>.Effects {
        let jitter = random()
        let now = clock.now
        let work = core.withLock { core in
            prepare(&core)
            return core.handle(input, at: now, jitter: jitter)
        }
        perform(work)
        return work.effects
    }

    /// Carries out the decisions of the state machine.
    ///
    /// Never call it with the lock held: all of this may call the cache again, and resuming or cancelling a task takes
    /// a lock of the runtime.
    private func perform(_ work: CacheCore<Key, Value>.Work) {
        if let observer {
            for effects in [work.effects] + work.dropped { effects.events.forEach(observer) }
        }
        for plan in work.starts { start(plan) }
        for fetch in work.cancelled {
            fetch.task.cancel()
            fetch.cancelTimeout()
        }
        for (waiter, result) in work.answered {
            waiter.cancelTimeout?()
            waiter.continuation.resume(with: result)
        }
    }

    private func start(_ plan: CacheState<Key, Value>.FlightPlan) {
        let cancelTimeout = scheduler.schedule(configuration.fetchTimeout) { [weak self] in
            self?.handle(.giveUp(plan))
        }
        let current = CurrentFlight(cache: ObjectIdentifier(self), id: plan.id)
        // Nothing comes from the caller: its cancellation, task-local values and priority would affect other callers. An
        // urgent caller may join at any time, and a fetch takes little of a processor.
        let task = Task.detached(priority: .userInitiated) { [weak self, fetch] in
            do {
                let fetched = try await CurrentFlight.$value.withValue(current) {
                    try await fetch(plan.key, plan.reason)
                }
                self?.end(plan, .succeed(plan, fetched))
            } catch {
                let failure = error as? any FetchFailure
                self?.end(plan, .fail(plan, error, failure?.retry ?? .retryable(), failure?.extent ?? .undetermined))
            }
        }
        let isCurrent = core.withLock { core in
            guard core.state.isCurrent(plan) else { return false }
            core.fetches[plan.id] = CacheCore.Fetch(task: task, cancelTimeout: cancelTimeout)
            return true
        }
        // The fetch may have ended, or been abandoned, before its task was registered.
        guard !isCurrent else { return }
        task.cancel()
        cancelTimeout()
    }

    private func end(_ plan: CacheState<Key, Value>.FlightPlan, _ input: CacheState<Key, Value>.Input) {
        var fetch: CacheCore<Key, Value>.Fetch?
        handle(input) { fetch = $0.fetches.removeValue(forKey: plan.id) }
        fetch?.cancelTimeout()
    }
}
