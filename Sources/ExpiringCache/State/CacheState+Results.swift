extension CacheState {
    mutating func succeed(_ plan: FlightPlan, _ fetched: Fetched<Value>, _ turn: inout Turn) {
        guard let flight = land(plan) else { return }
        let lifespan = rules.lifespan(of: fetched, jitter: turn.jitter)
        let entry = CacheEntry(value: fetched.value, version: flight.id, origin: flight.origin, lifespan: lifespan)
        let isUsable = publish(entry, for: plan.key, &turn)
        let isEnough = isUsable && flight.waiters.values.allSatisfy { entry.isUsable(at: turn.now, needing: $0) }
        var error = CacheError(.insufficientLifetime)
        if isEnough {
            noteSuccess(plan.key, &turn)
        } else {
            // Asking again at once would bring no more, so for those who need more it is a failure like any other.
            error = noteFailure(plan.key, error, .retryable(), &turn)
        }
        for (waiter, needed) in flight.waiters {
            let isSatisfied = entry.isUsable(at: turn.now, needing: needed)
            turn.effects.answers.append((waiter, isSatisfied ? .success(entry.value) : .failure(error)))
        }
        noteEnd(of: flight, for: plan.key, isUsable ? .success : .failure(error), &turn)
    }

    mutating func fail(_ plan: FlightPlan, _ error: any Error, _ retry: FetchRetry, _ turn: inout Turn) {
        guard let flight = land(plan) else { return }
        let code: CacheError.Code = retry == .permanent ? .denied : .unavailable
        let error = noteFailure(plan.key, CacheError(code, underlying: error), retry, &turn)
        fail(flight, of: plan.key, error, &turn)
    }

    mutating func giveUp(_ plan: FlightPlan, _ turn: inout Turn) {
        guard isCurrent(plan), let flight = flights.removeValue(forKey: plan.key) else { return }
        let error = noteFailure(plan.key, CacheError(.fetchTimedOut), .retryable(), &turn)
        abandon(flight, of: plan.key, error, &turn)
    }

    /// Lets a fetch run on whose result won't count.
    mutating func abandon(_ flight: Flight, of key: Key, _ error: CacheError, _ turn: inout Turn) {
        abandoned[key, default: 0] += 1
        turn.effects.cancellations.append(flight.id)
        fail(flight, of: key, error, &turn)
    }

    private mutating func land(_ plan: FlightPlan) -> Flight? {
        guard !isCurrent(plan) else { return flights.removeValue(forKey: plan.key) }
        // It was given up, and now it ended at last.
        let left = abandoned[plan.key, default: 1] - 1
        abandoned[plan.key] = left > 0 ? left : nil
        return nil
    }

    private func fail(_ flight: Flight, of key: Key, _ error: CacheError, _ turn: inout Turn) {
        for waiter in flight.waiters.keys { turn.effects.answers.append((waiter, .failure(error))) }
        noteEnd(of: flight, for: key, .failure(error), &turn)
    }

    private func noteEnd(of flight: Flight, for key: Key, _ outcome: FetchOutcome, _ turn: inout Turn) {
        let duration = (turn.now.continuous &- flight.origin.continuous).seconds
        turn.effects.events.append(.fetchFinished(key, flight.reason, duration: duration, outcome))
    }
}
