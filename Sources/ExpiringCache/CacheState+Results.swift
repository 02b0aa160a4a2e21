import Timing

extension CacheState {
    mutating func succeed(_ plan: FlightPlan, fetched: Fetched<Value>, _ step: inout Step) {
        guard let flight = land(plan) else { return }
        source.noteResponse(to: plan.id)
        let now = step.now
        let lifespan = rules.lifespan(of: fetched, jitter: step.moment.jitter)
        let entry = CacheEntry(value: fetched.value, version: flight.id, origin: flight.origin, lifespan: lifespan)
        guard publish(entry, for: plan.key, &step) else {
            // If the value was usable when it was sent, it expired in transit, and the next one may not.
            let mayRepeat = lifespan.usable > 0 && !(flight.isRepeat || flight.waiters.isEmpty)
            return fail(
                flight,
                of: plan.key,
                error: CacheError(.alreadyExpired),
                extent: .key,
                mayRepeat: mayRepeat,
                &step
            )
        }
        source.noteSuccess(of: plan.key)
        let met = flight.waiters.filter { entry.isUsable(at: now, needing: $0.value) }
        changeGate(of: plan.key, &step) { $0.noteSuccess(meeting: met.values.max() ?? 0) }
        for waiter in met.keys { step.effects.answers.append((waiter, .success(entry))) }
        noteEnd(of: flight, for: plan.key, nil, &step)
        let unmet = flight.waiters.filter { met[$0.key] == nil }
        guard !unmet.isEmpty else { return }
        if isOverslept(flight, at: now), refusal(of: plan.key, at: now) == nil {
            return start(plan.key, reason: .insufficient, isRepeat: true, for: unmet, &step)
        }
        let left = lifespan.total &- now.age(since: flight.origin)
        let shortfall = noteShortfall(plan.key, lifetime: left, &step)
        for waiter in unmet.keys { step.effects.answers.append((waiter, .failure(shortfall))) }
    }

    mutating func fail(
        _ plan: FlightPlan,
        error: any Error,
        retry: FetchRetry,
        extent: FailureExtent,
        _ step: inout Step
    ) {
        guard let flight = land(plan) else { return }
        let error = CacheError(retry == .permanent ? .denied : .unavailable, underlying: error)
        if retry == .permanent, extent != .none { source.noteResponse(to: plan.id) }
        fail(flight, of: plan.key, error: error, retry: retry, extent: extent, &step)
    }

    mutating func giveUp(_ plan: FlightPlan, _ step: inout Step) {
        guard isCurrent(plan), let flight = flights.removeValue(forKey: plan.key) else { return }
        abandon(flight, of: plan.key, &step)
        fail(flight, of: plan.key, error: CacheError(.fetchTimedOut), &step)
    }

    /// Abandons a fetch whose time limit passed long ago, so that a new caller doesn't wait for it.
    mutating func renewIfOverslept(_ key: Key, _ step: inout Step) {
        guard let flight = flights[key], isOverslept(flight, at: step.now) else { return }
        flights[key] = nil
        abandon(flight, of: key, &step)
        fail(flight, of: key, error: CacheError(.fetchTimedOut), &step)
    }

    /// Marks a fetch as abandoned, so that its result doesn't count; one that is queued never runs.
    mutating func abandon(_ flight: Flight, of key: Key, _ step: inout Step) {
        if !flight.isQueued { abandoned.add(flight.id, of: key, at: step.now) }
        step.effects.cancellations.append(flight.id)
    }

    /// Ends a flight with one error for all waiters.
    func end(_ flight: Flight, of key: Key, error: CacheError, _ step: inout Step) {
        for waiter in flight.waiters.keys { step.effects.answers.append((waiter, .failure(error))) }
        noteEnd(of: flight, for: key, error, &step)
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
        _ step: inout Step
    ) {
        let isAsleep = retry == .retryable() && isOverslept(flight, at: step.now)
        guard mayRepeat || isAsleep else {
            guard extent != .none else { return end(flight, of: key, error: error, &step) }
            let concernsAll = retry != .permanent && source.concernsAll(extent, of: key, flight.id, at: step.now)
            let error =
                concernsAll
                ? noteSourceFailure(flight.id, error: error, retry: retry, &step)
                : noteFailure(key, error: error, retry: retry, &step)
            return end(flight, of: key, error: error, &step)
        }
        if let refusal = refusal(of: key, at: step.now) { return end(flight, of: key, error: refusal, &step) }
        noteEnd(of: flight, for: key, error, &step)
        guard !flight.waiters.isEmpty else { return }
        start(key, reason: reasonToWait(key, at: step.now), isRepeat: true, for: flight.waiters, &step)
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

    func noteEnd(of flight: Flight, for key: Key, _ error: CacheError?, _ step: inout Step) {
        let duration = (step.now.continuous &- flight.origin.continuous).seconds
        note(.fetchFinished, of: key, reason: flight.reason, duration: duration, error: error, &step)
    }
}

extension CacheState {
    /// Changes a key's gate, which is kept as long as it has a history.
    @discardableResult
    mutating func changeGate<Result>(
        of key: Key,
        _ step: inout Step,
        _ change: (inout Gate) -> Result
    ) -> Result {
        let now = step.now
        let previous = gates[key]
        if let previous { step.effects.retired.append(previous) }
        var gate = previous ?? Gate()
        let result = change(&gate)
        if gate.isClear(at: now) {
            gates.remove(key)
        } else if let evicted = gates.set(gate, for: key, rank: { $1.isOpen(at: now) ? .dead : .ordinary }) {
            step.effects.retired.append(evicted.element)
        }
        return result
    }

    /// Records that a value doesn't meet the required lifetime of some of its waiters.
    ///
    /// - Returns: The error for those waiters, with the time after which a retry makes sense.
    mutating func noteShortfall(_ key: Key, lifetime: Int64, _ step: inout Step) -> CacheError {
        let moment = step.moment
        let error = CacheError(.insufficientLifetime)
        return changeGate(of: key, &step) { gate in
            gate.noteShortfall(error, lifetime: lifetime, at: moment)
            let wait = gate.shortfall.bar.until &- moment.now.continuous
            return error.retrying(after: max(gate.wait(at: moment.now, hasValue: true), wait))
        }
    }

    /// Records a failure and closes the gate for a while.
    ///
    /// - Returns: The error, with the time after which a retry makes sense.
    mutating func noteFailure(
        _ key: Key,
        error: CacheError,
        retry: FetchRetry,
        _ step: inout Step
    ) -> CacheError {
        let moment = step.moment
        let usable = usableEntry(key, at: moment.now)
        return changeGate(of: key, &step) { gate in
            gate.noteFailure(error, retry, interval: usable?.lifespan.retryInterval, at: moment)
            return error.retrying(after: gate.wait(at: moment.now, hasValue: usable != nil))
        }
    }

    /// Records a failure of the source itself: all keys pause, and fetches that are queued fail with the same error.
    ///
    /// - Returns: The error, with the time after which a retry makes sense.
    mutating func noteSourceFailure(
        _ id: FlightID,
        error: CacheError,
        retry: FetchRetry,
        _ step: inout Step
    ) -> CacheError {
        source.noteFailure(error, retry, of: id, latest: lastID, at: step.moment)
        let error = error.retrying(after: source.pause.until &- step.now.continuous)
        for (key, flight) in flights where flight.isQueued {
            flights[key] = nil
            step.effects.cancellations.append(flight.id)
            end(flight, of: key, error: error, &step)
        }
        return error
    }
}
