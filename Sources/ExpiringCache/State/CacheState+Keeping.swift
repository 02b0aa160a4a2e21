extension CacheState {
    /// Keeps a value, unless it is of no use or an insertion brought a newer one since its fetch began.
    ///
    /// - Returns: Whether it is of use.
    mutating func publish(
        _ entry: CacheEntry<Value>,
        for key: Key,
        at now: Instant,
        _ effects: inout Effects
    ) -> Bool {
        let isUsable = entry.isUsable(at: now, needing: 0)
        guard isUsable, entries[key].map({ $0.version < entry.version }) ?? true else {
            effects.retired.append(entry)
            return isUsable
        }
        let flights = flights
        let displaced = entries.set(entry, for: key) { key, entry in
            if flights[key] != nil { return .kept }
            return entry.isUsable(at: now, needing: 0) ? .ordinary : .dead
        }
        for slot in displaced {
            effects.retired.append(slot.element)
            if slot.key != key { effects.events.append(.evicted(slot.key)) }
        }
        return true
    }

    mutating func invalidate(
        _ key: Key,
        _ version: UInt64,
        _ jitter: Double,
        at now: Instant,
        _ effects: inout Effects
    ) {
        // Whoever rejects a value that has been replaced meanwhile must not cost anybody the new one.
        guard let entry = entries[key], entry.version == version else { return }
        _ = entries.remove(key)
        effects.retired.append(entry)
        effects.events.append(.invalidated(key))
        let age = now.age(since: entry.origin)
        updateGate(of: key, at: now) { $0.noteRejection(age: age, jitter: jitter, rules: $1, at: now) }
    }

    /// Leaves nothing that was fetched, or began to be fetched, before.
    ///
    /// Backoff stays, or emptying the cache on each failure would be a way round it. Denials go: they were meant for
    /// whoever was signed in.
    mutating func removeAll(at now: Instant, _ effects: inout Effects) {
        effects.retired = entries.removeAll().map(\.element)
        for (key, flight) in flights {
            abandon(flight, of: key, &effects)
            let error = CacheError(.removed)
            for waiter in flight.waiters.keys { effects.answers.append((waiter, .failure(error))) }
            noteEnd(key, flight, .failure(error), at: now, &effects)
        }
        flights = [:]
        gates.forEach { $0.forgetDenial() }
    }

    // MARK: - Gates

    mutating func noteSuccess(_ key: Key, at now: Instant) {
        updateGate(of: key, at: now) { gate, _ in gate.noteSuccess() }
    }

    /// Closes the gate for a while.
    ///
    /// - Returns: The error with the time after which trying again makes sense.
    mutating func noteFailure(
        _ key: Key,
        _ error: CacheError,
        _ retry: FetchRetry,
        _ jitter: Double,
        at now: Instant
    ) -> CacheError {
        updateGate(of: key, at: now) {
            $0.noteFailure(error, retry: retry, jitter: jitter, rules: $1, at: now)
        }
        return gates[key]?.refusal(at: now) ?? error
    }

    private mutating func updateGate(of key: Key, at now: Instant, _ update: (inout Gate, CacheRules) -> Void) {
        let known = gates[key]
        var gate = known ?? Gate()
        update(&gate, rules)
        if !gate.isClear(at: now) {
            _ = gates.set(gate, for: key) { _, gate in gate.isOpen(at: now) ? .dead : .ordinary }
        } else if known != nil {
            _ = gates.remove(key)
        }
    }
}
