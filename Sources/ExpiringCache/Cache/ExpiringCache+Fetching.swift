extension ExpiringCache {
    /// Lets the machine handle what happened, and does what it decides.
    func handle(_ input: CacheState<Key, Value>.Input) {
        let now = clock.now
        perform(core.withLock { $0.handle(input, at: now) })
    }

    /// Does what the machine decided.
    ///
    /// Never called with the lock held: all of this may come back to the cache, and resuming or cancelling a task takes a
    /// lock of the runtime's.
    func perform(_ work: CacheCore<Key, Value>.Work) {
        for plan in work.effects.starts { start(plan) }
        for fetch in work.cancelled {
            fetch.task.cancel()
            fetch.cancelTimeout?()
        }
        if let observer { work.effects.events.forEach(observer) }
        for (waiter, result) in work.answered {
            waiter.cancelTimeout?()
            waiter.completion(result)
        }
    }

    private func start(_ plan: CacheState<Key, Value>.FlightPlan) {
        let context = FetchContext(reason: plan.reason, failures: plan.failures, timeout: configuration.fetchTimeout)
        let current = CurrentFlight(cache: ObjectIdentifier(self), id: plan.id)
        let task = Task.detached(priority: Task.currentPriority) { [weak self, fetch] in
            let result: Result<Fetched<Value>, any Error>
            do {
                result = .success(
                    try await CurrentFlight.$value.withValue(current) { try await fetch(plan.key, context) }
                )
            } catch {
                result = .failure(error)
            }
            self?.finish(plan, result)
        }
        var cancelTimeout: (@Sendable () -> Void)?
        if configuration.fetchTimeout < .infinity {
            cancelTimeout = scheduler.schedule(configuration.fetchTimeout) { [weak self, random] in
                self?.handle(.giveUp(plan, jitter: random()))
            }
        }
        let isCurrent = core.withLock { core in
            guard core.state.isCurrent(plan.id, of: plan.key) else { return false }
            core.fetches[plan.id] = CacheCore.Fetch(task: task, cancelTimeout: cancelTimeout)
            return true
        }
        // It may be over already, or have been given up before anybody could cancel it.
        guard !isCurrent else { return }
        task.cancel()
        cancelTimeout?()
    }

    private func finish(_ plan: CacheState<Key, Value>.FlightPlan, _ result: Result<Fetched<Value>, any Error>) {
        let jitter = random()
        let now = clock.now
        let (fetch, work) = core.withLock { core in
            (core.fetches.removeValue(forKey: plan.id), core.handle(.finish(plan, result, jitter: jitter), at: now))
        }
        fetch?.cancelTimeout?()
        perform(work)
    }
}
