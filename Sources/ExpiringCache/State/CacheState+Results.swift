extension CacheState {
    mutating func succeed(_ plan: FlightPlan, fetched: Fetched<Value>, _ turn: inout Turn) {
        guard let flight = land(plan) else { return }
        source.noteResponse(to: plan.id)
        let now = turn.now
        let lifespan = rules.lifespan(of: fetched, jitter: turn.jitter)
        let entry = CacheEntry(value: fetched.value, version: flight.id, origin: flight.origin, lifespan: lifespan)
        guard publish(entry, for: plan.key, &turn) else {
            // If the value was usable when it was sent, it expired in transit, and the next one may not.
            let mayRepeat = lifespan.usable > 0 && !(flight.isRepeat || flight.waiters.isEmpty)
            return fail(
                flight,
                of: plan.key,
                error: CacheError(.alreadyExpired),
                extent: .key,
                mayRepeat: mayRepeat,
                &turn
            )
        }
        let met = flight.waiters.filter { entry.isUsable(at: now, needing: $0.value) }
        noteSuccess(plan.key, meeting: met.values.max() ?? 0, &turn)
        for waiter in met.keys { turn.effects.answers.append((waiter, .success(entry))) }
        noteEnd(of: flight, for: plan.key, .success, &turn)
        let unmet = flight.waiters.filter { met[$0.key] == nil }
        guard !unmet.isEmpty else { return }
        if isOverslept(flight, at: now), refusal(of: plan.key, at: now) == nil {
            return start(plan.key, reason: .insufficient, isRepeat: true, for: unmet, &turn)
        }
        let left = lifespan.total &- now.age(since: flight.origin)
        let shortfall = noteShortfall(plan.key, lifetime: left, &turn)
        for waiter in unmet.keys { turn.effects.answers.append((waiter, .failure(shortfall))) }
    }

    mutating func fail(
        _ plan: FlightPlan,
        error: any Error,
        retry: FetchRetry,
        extent: FailureExtent,
        _ turn: inout Turn
    ) {
        guard let flight = land(plan) else { return }
        let error = CacheError(retry == .permanent ? .denied : .unavailable, underlying: error)
        if retry == .permanent, extent != .none { source.noteResponse(to: plan.id) }
        fail(flight, of: plan.key, error: error, retry: retry, extent: extent, &turn)
    }

    mutating func giveUp(_ plan: FlightPlan, _ turn: inout Turn) {
        guard isCurrent(plan), let flight = flights.removeValue(forKey: plan.key) else { return }
        abandon(flight, of: plan.key, &turn)
        fail(flight, of: plan.key, error: CacheError(.fetchTimedOut), &turn)
    }

    /// Abandons a fetch whose time limit passed long ago, so that a new caller doesn't wait for it.
    mutating func renewIfOverslept(_ key: Key, _ turn: inout Turn) {
        guard let flight = flights[key], isOverslept(flight, at: turn.now) else { return }
        flights[key] = nil
        abandon(flight, of: key, &turn)
        fail(flight, of: key, error: CacheError(.fetchTimedOut), &turn)
    }

    /// Marks a running fetch as abandoned, so that its result doesn't count.
    mutating func abandon(_ flight: Flight, of key: Key, _ turn: inout Turn) {
        abandoned.add(flight.id, of: key, at: turn.now)
        turn.effects.cancellations.append(flight.id)
    }

    /// Ends a flight with one error for all waiters.
    func end(_ flight: Flight, of key: Key, error: CacheError, _ turn: inout Turn) {
        for waiter in flight.waiters.keys { turn.effects.answers.append((waiter, .failure(error))) }
        noteEnd(of: flight, for: key, .failure(error), &turn)
    }

    /// Ends a failed flight: its waiters get the error, unless the source didn't cause it.
    ///
    /// Then, or if it `mayRepeat` for another reason, another fetch is started for them.
    private mutating func fail(
        _ flight: Flight,
        of key: Key,
        error: CacheError,
        retry: FetchRetry = .retryable(),
        extent: FailureExtent = .undetermined,
        mayRepeat: Bool = false,
        _ turn: inout Turn
    ) {
        let isAsleep = retry == .retryable() && isOverslept(flight, at: turn.now)
        guard mayRepeat || isAsleep else {
            let isProbe = retry != .permanent && source.isProbe(flight.id, at: turn.now)
            switch extent {
            case .none: end(flight, of: key, error: error, &turn)
            case .source,
                .undetermined where isProbe:
                end(flight, of: key, error: noteSourceFailure(flight.id, error: error, retry: retry, &turn), &turn)
            case .key, .undetermined:
                end(flight, of: key, error: noteFailure(key, error: error, retry: retry, &turn), &turn)
            }
            return
        }
        if let refusal = refusal(of: key, at: turn.now) { return end(flight, of: key, error: refusal, &turn) }
        noteEnd(of: flight, for: key, .failure(error), &turn)
        guard !flight.waiters.isEmpty else { return }
        start(key, reason: reasonToWait(key, at: turn.now), isRepeat: true, for: flight.waiters, &turn)
    }

    /// Returns whether a fetch is older than possible while the process runs and no clock is set: its outcome then says
    /// nothing about its source.
    private func isOverslept(_ flight: Flight, at now: Instant) -> Bool {
        !flight.isQueued && now.age(since: flight.origin) > rules.longestFetch
    }

    private mutating func land(_ plan: FlightPlan) -> Flight? {
        guard !isCurrent(plan) else { return flights.removeValue(forKey: plan.key) }
        // An abandoned fetch has ended.
        abandoned.remove(plan.id, of: plan.key)
        return nil
    }

    func noteEnd(of flight: Flight, for key: Key, _ outcome: FetchOutcome, _ turn: inout Turn) {
        let duration = (turn.now.continuous &- flight.origin.continuous).seconds
        turn.effects.events.append(.fetchFinished(key, flight.reason, duration: duration, outcome))
    }
}
