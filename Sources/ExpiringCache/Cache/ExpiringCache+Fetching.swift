extension ExpiringCache {
    /// Lets the machine handle what happened, and does what it decides.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - prepare: What else to change in the same moment, before the machine does.
    /// - Returns: What the machine decided.
    @discardableResult
    func handle(
        _ input: CacheState<Key, Value>.Input,
        prepare: (inout CacheCore<Key, Value>) -> Void = { _ in }
    ) -> CacheState<Key, Value>.Effects {
        let jitter = random()
        let now = clock.now
        let work = core.withLock { core in
            prepare(&core)
            return core.handle(input, at: now, jitter: jitter, priority: Task.currentPriority)
        }
        perform(work)
        return work.effects
    }

    /// Does what the machine decided.
    ///
    /// Never with the lock held: all of this may come back to the cache, and resuming or cancelling a task takes a lock
    /// of the runtime's.
    private func perform(_ work: CacheCore<Key, Value>.Work) {
        if let observer { work.effects.events.forEach(observer) }
        if let observer { work.dropped.forEach { $0.events.forEach(observer) } }
        for turn in work.starts { start(turn.plan, priority: turn.priority) }
        for fetch in work.cancelled {
            fetch.task.cancel()
            fetch.cancelTimeout?()
        }
        for (waiter, result) in work.answered {
            waiter.cancelTimeout?()
            waiter.completion(result)
        }
    }

    private func start(_ plan: CacheState<Key, Value>.FlightPlan, priority: TaskPriority) {
        let context = FetchContext(reason: plan.reason, failures: plan.failures, timeout: configuration.fetchTimeout)
        let current = CurrentFlight(cache: ObjectIdentifier(self), id: plan.id)
        // Nothing but the priority is the caller's: its cancellation and its task-locals would affect others.
        let task = Task.detached(priority: priority) { [weak self, fetch] in
            do {
                let fetched = try await CurrentFlight.$value.withValue(current) { try await fetch(plan.key, context) }
                self?.end(plan, .succeed(plan, fetched))
            } catch {
                let retry = (error as? any FetchFailure)?.retry ?? .retryable()
                self?.end(plan, .fail(plan, error, retry))
            }
        }
        let cancelTimeout = timer(configuration.fetchTimeout) { [weak self] in self?.handle(.giveUp(plan)) }
        let (isCurrent, wanted) = core.withLock { core -> (Bool, TaskPriority) in
            guard core.state.isCurrent(plan), let flight = core.state.flights[plan.key] else {
                return (false, priority)
            }
            // Some may wait already, and have found no task whose priority they could raise.
            let wanted = flight.waiters.keys.reduce(priority) { max($0, core.waiters[$1]?.priority ?? $0) }
            core.fetches[plan.id] = CacheCore.Fetch(task: task, cancelTimeout: cancelTimeout, priority: wanted)
            return (true, wanted)
        }
        if wanted > priority { Self.escalate(task, to: wanted) }
        // It may have ended, or been given up before anybody could cancel it.
        guard !isCurrent else { return }
        task.cancel()
        cancelTimeout?()
    }

    private func end(_ plan: CacheState<Key, Value>.FlightPlan, _ input: CacheState<Key, Value>.Input) {
        var fetch: CacheCore<Key, Value>.Fetch?
        handle(input) { fetch = $0.fetches.removeValue(forKey: plan.id) }
        fetch?.cancelTimeout?()
    }

    /// Starts a timer, unless it would never end.
    func timer(_ delay: Seconds, _ action: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        delay == .infinity ? nil : scheduler.schedule(delay, action)
    }
}
