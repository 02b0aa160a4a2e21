extension CacheState {
    mutating func noteSuccess(_ key: Key, meeting needed: Int64 = 0, _ turn: inout Turn) {
        guard var gate = gates[key] else { return }
        gate.noteSuccess(meeting: needed)
        set(gate, for: key, &turn)
    }

    /// Records that a value doesn't meet the required lifetime of some of its waiters.
    ///
    /// - Returns: The error for those waiters, with the time after which a retry makes sense.
    mutating func noteShortfall(_ key: Key, lifetime: Int64, _ turn: inout Turn) -> CacheError {
        var gate = gates[key] ?? Gate()
        let error = CacheError(.insufficientLifetime)
        gate.noteShortfall(error, lifetime: lifetime, jitter: turn.jitter, rules: rules, at: turn.now)
        set(gate, for: key, &turn)
        return error.retrying(
            after: max(gate.wait(at: turn.now, hasValue: true), gate.shortfall.bar.until &- turn.now.continuous)
        )
    }

    /// Records a failure and closes the gate for a while.
    ///
    /// - Returns: The error, with the time after which a retry makes sense.
    mutating func noteFailure(
        _ key: Key,
        error: CacheError,
        retry: FetchRetry,
        _ turn: inout Turn
    ) -> CacheError {
        var gate = gates[key] ?? Gate()
        let usable = usableEntry(key, at: turn.now)
        if let interval = usable?.lifespan.retryInterval, retry != .permanent {
            gate.noteFailedRefresh(
                error,
                retry: retry,
                interval: interval,
                jitter: turn.jitter,
                rules: rules,
                at: turn.now
            )
        } else {
            gate.noteFailure(error, retry, jitter: turn.jitter, rules: rules, at: turn.now)
        }
        set(gate, for: key, &turn)
        return error.retrying(after: gate.wait(at: turn.now, hasValue: usable != nil))
    }

    /// Records a failure of the source itself: all keys pause, and fetches that are queued fail with the same error.
    ///
    /// - Returns: The error, with the time after which a retry makes sense.
    mutating func noteSourceFailure(
        _ id: FlightID,
        error: CacheError,
        retry: FetchRetry,
        _ turn: inout Turn
    ) -> CacheError {
        source.noteFailure(error, retry, of: id, latest: lastID, jitter: turn.jitter, rules: rules, at: turn.now)
        let error = error.retrying(after: source.pause.until &- turn.now.continuous)
        for (key, flight) in flights where flight.isQueued {
            flights[key] = nil
            turn.effects.cancellations.append(flight.id)
            end(flight, of: key, error: error, &turn)
        }
        return error
    }

    mutating func noteRejection(_ key: Key, age: Int64, _ turn: inout Turn) {
        var gate = gates[key] ?? Gate()
        gate.noteRejection(age: age, jitter: turn.jitter, rules: rules, at: turn.now)
        set(gate, for: key, &turn)
    }

    mutating func noteRemoval(of key: Key, _ turn: inout Turn) {
        guard var gate = gates[key] else { return }
        gate.noteRemoval(rules: rules, at: turn.now)
        set(gate, for: key, &turn)
    }

    private mutating func set(_ gate: Gate, for key: Key, _ turn: inout Turn) {
        let now = turn.now
        if let previous = gates[key] { turn.effects.retired.append(previous) }
        guard !gate.isClear(at: now) else { return gates.remove(key) }
        let evicted = gates.set(gate, for: key) { $1.isOpen(at: now) ? .dead : .ordinary }
        if let evicted { turn.effects.retired.append(evicted.element) }
    }
}
