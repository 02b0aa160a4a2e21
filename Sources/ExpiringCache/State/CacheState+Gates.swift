import Timing

extension CacheState {
    mutating func noteSuccess(_ key: Key, meeting needed: Int64 = 0, _ step: inout Step) {
        guard var gate = gates[key] else { return }
        gate.noteSuccess(meeting: needed)
        set(gate, for: key, &step)
    }

    /// Records that a value doesn't meet the required lifetime of some of its waiters.
    ///
    /// - Returns: The error for those waiters, with the time after which a retry makes sense.
    mutating func noteShortfall(_ key: Key, lifetime: Int64, _ step: inout Step) -> CacheError {
        var gate = gates[key] ?? Gate()
        let error = CacheError(.insufficientLifetime)
        gate.noteShortfall(error, lifetime: lifetime, jitter: step.jitter, rules: rules, at: step.now)
        set(gate, for: key, &step)
        return error.retrying(
            after: max(gate.wait(at: step.now, hasValue: true), gate.shortfall.bar.until &- step.now.continuous)
        )
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
        var gate = gates[key] ?? Gate()
        let usable = usableEntry(key, at: step.now)
        if let interval = usable?.lifespan.retryInterval, retry != .permanent {
            gate.noteFailedRefresh(
                error,
                retry: retry,
                interval: interval,
                jitter: step.jitter,
                rules: rules,
                at: step.now
            )
        } else {
            gate.noteFailure(error, retry, jitter: step.jitter, rules: rules, at: step.now)
        }
        set(gate, for: key, &step)
        return error.retrying(after: gate.wait(at: step.now, hasValue: usable != nil))
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
        source.noteFailure(error, retry, of: id, latest: lastID, jitter: step.jitter, rules: rules, at: step.now)
        let error = error.retrying(after: source.pause.until &- step.now.continuous)
        for (key, flight) in flights where flight.isQueued {
            flights[key] = nil
            step.effects.cancellations.append(flight.id)
            end(flight, of: key, error: error, &step)
        }
        return error
    }

    mutating func noteRejection(_ key: Key, age: Int64, _ step: inout Step) {
        var gate = gates[key] ?? Gate()
        gate.noteRejection(age: age, jitter: step.jitter, rules: rules, at: step.now)
        set(gate, for: key, &step)
    }

    mutating func noteRemoval(of key: Key, _ step: inout Step) {
        guard var gate = gates[key] else { return }
        gate.noteRemoval(rules: rules, at: step.now)
        set(gate, for: key, &step)
    }

    private mutating func set(_ gate: Gate, for key: Key, _ step: inout Step) {
        let now = step.now
        if let previous = gates[key] { step.effects.retired.append(previous) }
        guard !gate.isClear(at: now) else { return gates.remove(key) }
        let evicted = gates.set(gate, for: key) { $1.isOpen(at: now) ? .dead : .ordinary }
        if let evicted { step.effects.retired.append(evicted.element) }
    }
}
