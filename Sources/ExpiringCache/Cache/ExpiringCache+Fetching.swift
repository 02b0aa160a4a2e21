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
            return core.handle(input, at: now, jitter: jitter, priority: Task.currentPriority)
        }
        perform(work)
        return work.effects
    }

    /// Carries out the decisions of the state machine.
    ///
    /// Never call it with the lock held: all of this may call the cache again, and resuming or cancelling a task takes
    /// a lock of the runtime.
    private func perform(_ work: CacheCore<Key, Value>.Work) {
        if let observer { work.effects.events.forEach(observer) }
        if let observer { work.dropped.forEach { $0.events.forEach(observer) } }
        for item in work.starts { start(item.plan, priority: item.priority) }
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
        let context = FetchContext(reason: plan.reason, failures: plan.failures)
        let current = CurrentFlight(cache: ObjectIdentifier(self), id: plan.id)
        // Only the priority comes from the caller: its cancellation and task-local values would affect other callers.
        let task = Task.detached(priority: priority) { [weak self, fetch] in
            do {
                let fetched = try await CurrentFlight.$value.withValue(current) { try await fetch(plan.key, context) }
                self?.end(plan, .succeed(plan, fetched))
            } catch {
                let failure = error as? any FetchFailure
                self?.end(plan, .fail(plan, error, failure?.retry ?? .retryable(), failure?.extent ?? .undetermined))
            }
        }
        let cancelTimeout = timer(configuration.fetchTimeout) { [weak self] in self?.handle(.giveUp(plan)) }
        let (isCurrent, wanted) = core.withLock { core -> (Bool, TaskPriority) in
            guard core.state.isCurrent(plan), let flight = core.state.flights[plan.key] else {
                return (false, priority)
            }
            // Callers may already wait that found no task whose priority they could raise.
            let wanted = flight.waiters.keys.reduce(priority) { max($0, core.waiters[$1]?.priority ?? $0) }
            core.fetches[plan.id] = CacheCore.Fetch(task: task, cancelTimeout: cancelTimeout, priority: wanted)
            return (true, wanted)
        }
        if wanted > priority { Self.escalate(task, to: wanted) }
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
