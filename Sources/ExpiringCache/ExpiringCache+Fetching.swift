import Timing

extension ExpiringCache {
    /// Passes an input to the state machine and carries out its decisions.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - prepare: Changes to make under the same lock, before the state machine handles the input.
    /// - Returns: The decisions of the state machine.
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
            fetch.cancelTimeout?()
        }
        for (waiter, result) in work.answered {
            waiter.cancelTimeout?()
            waiter.continuation.resume(with: result)
        }
    }

    private func start(_ plan: CacheState<Key, Value>.FlightPlan) {
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
        let cancelTimeout = timer(configuration.fetchTimeout) { [weak self] in self?.handle(.giveUp(plan)) }
        let isCurrent = core.withLock { core in
            guard core.state.isCurrent(plan) else { return false }
            core.fetches[plan.id] = CacheCore.Fetch(task: task, cancelTimeout: cancelTimeout)
            return true
        }
        // The fetch may have ended, or been abandoned, before its task was registered.
        guard !isCurrent else { return }
        task.cancel()
        cancelTimeout?()
    }

    private func end(_ plan: CacheState<Key, Value>.FlightPlan, _ input: CacheState<Key, Value>.Input) {
        var fetch: CacheCore<Key, Value>.Fetch?
        handle(input) { fetch = $0.fetches.removeValue(forKey: plan.id) }
        fetch?.cancelTimeout?()
    }

    /// Starts a timer, unless the delay is infinite.
    func timer(_ delay: Seconds, _ action: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        delay == .infinity ? nil : scheduler.schedule(delay, action)
    }
}

/// The flight that the current task works for; used to detect a fetch that waits for itself.
struct CurrentFlight: Sendable {
    @TaskLocal static var value: CurrentFlight?

    let cache: ObjectIdentifier
    let id: FlightID
}
