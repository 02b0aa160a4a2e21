extension CacheState {
    mutating func insert(_ key: Key, fetched: Fetched<Value>, _ turn: inout Turn) {
        let lifespan = rules.lifespan(of: fetched, jitter: turn.jitter)
        let entry = CacheEntry(value: fetched.value, version: nextID(), origin: turn.now, lifespan: lifespan)
        guard publish(entry, for: key, &turn) else { return }
        noteSuccess(key, &turn)
    }

    /// Caches a value, unless it is unusable or a value was inserted since its fetch began.
    ///
    /// - Returns: Whether the value is usable.
    mutating func publish(_ entry: CacheEntry<Value>, for key: Key, _ turn: inout Turn) -> Bool {
        let now = turn.now
        let isUsable = entry.isUsable(at: now, needing: 0)
        let previous = entries[key]
        let isSuperseded = previous.map { $0.version > entry.version && $0.isUsable(at: now, needing: 0) } ?? false
        guard isUsable, !isSuperseded else {
            turn.effects.retired.append(entry)
            return isUsable
        }
        if let previous { turn.effects.retired.append(previous) }
        let flights = flights
        let evicted = entries.set(entry, for: key) { $1.rank(isInFlight: flights[$0] != nil, at: now) }
        if let evicted { note(evicted, &turn) }
        return true
    }

    /// Evicts the entries beyond capacity that were kept for flights that have ended since.
    mutating func trim(_ turn: inout Turn) {
        let flights = flights
        let now = turn.now
        while entries.slots.count > entries.capacity + flights.count {
            let evicted = entries.evict { $1.rank(isInFlight: flights[$0] != nil, at: now) }
            guard let evicted else { return }
            note(evicted, &turn)
        }
    }

    private func note(_ evicted: ClockTable<Key, CacheEntry<Value>>.Slot, _ turn: inout Turn) {
        turn.effects.retired.append(evicted.element)
        turn.effects.events.append(.evicted(evicted.key))
    }

    mutating func invalidate(_ key: Key, version: UInt64, _ turn: inout Turn) {
        // A report about a value that was replaced meanwhile must not drop the new value.
        guard let entry = entries[key], entry.version == version else { return }
        entries.remove(key)
        turn.effects.retired.append(entry)
        turn.effects.events.append(.invalidated(key))
        noteRejection(key, age: turn.now.age(since: entry.origin), &turn)
    }

    /// Removes a key's value, its fetch and the state that concerns its user.
    ///
    /// Its hanging fetches still count, or removing the key would circumvent their limit.
    mutating func remove(_ key: Key, _ turn: inout Turn) {
        if let entry = entries[key] { turn.effects.retired.append(entry) }
        entries.remove(key)
        if let flight = flights.removeValue(forKey: key) {
            abandon(flight, of: key, &turn)
            end(flight, of: key, error: CacheError(.removed), &turn)
        }
        noteRemoval(of: key, &turn)
        turn.effects.events.append(.removed(key))
    }

    /// Removes everything that was fetched, or began to be fetched, before.
    ///
    /// Backoff remains, or emptying the cache after each failure would circumvent it. Denials are removed, because they
    /// concern the user who was signed in. So are hanging fetches, which may wait for that user.
    mutating func removeAll(_ turn: inout Turn) {
        for (key, flight) in flights { end(flight, of: key, error: CacheError(.removed), &turn) }
        clear(&turn)
    }

    /// Removes everything as ``removeAll(_:)`` does, but starts another fetch for the callers who wait.
    mutating func renewAll(_ turn: inout Turn) {
        let waiting = flights
        for (key, flight) in flights { noteEnd(of: flight, for: key, .failure(CacheError(.removed)), &turn) }
        clear(&turn)
        for (key, flight) in waiting where !flight.waiters.isEmpty {
            if let refusal = refusal(of: key, at: turn.now) {
                for waiter in flight.waiters.keys { turn.effects.answers.append((waiter, .failure(refusal))) }
            } else {
                start(key, reason: .missing, for: flight.waiters, &turn)
            }
        }
    }

    private mutating func clear(_ turn: inout Turn) {
        turn.effects.retired.append(entries.removeAll())
        for flight in flights.values { turn.effects.cancellations.append(flight.id) }
        turn.effects.retired.append(abandoned)
        abandoned = AbandonedFetches(lifetime: rules.abandonedFetchLifetime)
        let now = turn.now
        gates.forEach { [rules] in $0.noteRemoval(rules: rules, at: now) }
        fence = nextID()
        turn.effects.events.append(.removedAll)
        flights = [:]
    }
}
