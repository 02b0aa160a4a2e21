extension CacheState {
    mutating func finish(
        _ plan: FlightPlan,
        _ result: Result<Fetched<Value>, any Error>,
        _ jitter: Double,
        at now: Instant,
        _ effects: inout Effects
    ) {
        guard let flight = land(plan) else { return forgetAbandoned(plan.key) }
        switch result {
        case .success(let fetched):
            succeed(plan.key, flight, fetched, jitter, at: now, &effects)
        case .failure(let error):
            let retry = (error as? any FetchFailure)?.retry ?? .retryable()
            let code: CacheError.Code = retry == .permanent ? .denied : .unavailable
            fail(plan.key, flight, CacheError(code, underlying: error), retry, jitter, at: now, &effects)
        }
    }

    mutating func giveUp(_ plan: FlightPlan, _ jitter: Double, at now: Instant, _ effects: inout Effects) {
        guard let flight = land(plan) else { return }
        abandon(flight, of: plan.key, &effects)
        fail(plan.key, flight, CacheError(.fetchTimedOut), .retryable(), jitter, at: now, &effects)
    }

    mutating func insert(
        _ key: Key,
        _ fetched: Fetched<Value>,
        _ jitter: Double,
        at now: Instant,
        _ effects: inout Effects
    ) {
        let lifespan = rules.lifespan(of: fetched, jitter: jitter)
        let entry = CacheEntry(value: fetched.value, version: nextID(), origin: now, lifespan: lifespan)
        guard publish(entry, for: key, at: now, &effects) else { return }
        noteSuccess(key, at: now)
    }

    // MARK: - Endings

    /// Takes the flight out of its key's slot, if it is still the one in there.
    private mutating func land(_ plan: FlightPlan) -> Flight? {
        isCurrent(plan.id, of: plan.key) ? flights.removeValue(forKey: plan.key) : nil
    }

    mutating func abandon(_ flight: Flight, of key: Key, _ effects: inout Effects) {
        abandoned[key, default: 0] += 1
        effects.cancellations.append(flight.id)
    }

    private mutating func forgetAbandoned(_ key: Key) {
        guard let count = abandoned[key] else { return }
        abandoned[key] = count > 1 ? count - 1 : nil
    }

    private mutating func succeed(
        _ key: Key,
        _ flight: Flight,
        _ fetched: Fetched<Value>,
        _ jitter: Double,
        at now: Instant,
        _ effects: inout Effects
    ) {
        let lifespan = rules.lifespan(of: fetched, jitter: jitter)
        let entry = CacheEntry(value: fetched.value, version: flight.id, origin: flight.origin, lifespan: lifespan)
        let isUsable = publish(entry, for: key, at: now, &effects)
        let isEnough = isUsable && flight.waiters.values.allSatisfy { entry.isUsable(at: now, needing: $0) }
        var error = CacheError(.insufficientLifetime)
        if isEnough {
            noteSuccess(key, at: now)
        } else {
            // Asking again at once would bring no more, so for those who need more it is a failure like any other.
            error = noteFailure(key, error, .retryable(), jitter, at: now)
        }
        for (waiter, needed) in flight.waiters {
            let isSatisfied = entry.isUsable(at: now, needing: needed)
            effects.answers.append((waiter, isSatisfied ? .success(entry.value) : .failure(error)))
        }
        noteEnd(key, flight, isUsable ? .success : .failure(error), at: now, &effects)
    }

    private mutating func fail(
        _ key: Key,
        _ flight: Flight,
        _ error: CacheError,
        _ retry: FetchRetry,
        _ jitter: Double,
        at now: Instant,
        _ effects: inout Effects
    ) {
        let error = noteFailure(key, error, retry, jitter, at: now)
        for waiter in flight.waiters.keys { effects.answers.append((waiter, .failure(error))) }
        noteEnd(key, flight, .failure(error), at: now, &effects)
    }

    func noteEnd(
        _ key: Key,
        _ flight: Flight,
        _ outcome: FetchOutcome,
        at now: Instant,
        _ effects: inout Effects
    ) {
        let duration = (now.continuous &- flight.origin.continuous).seconds
        effects.events.append(.fetchFinished(key, flight.reason, duration: duration, outcome))
    }
}
