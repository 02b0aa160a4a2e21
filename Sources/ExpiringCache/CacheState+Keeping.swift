import Timing

extension CacheState {
    mutating func insert(_ key: Key, fetched: Fetched<Value>, _ step: inout Step) {
        let lifespan = rules.lifespan(of: fetched, jitter: step.moment.jitter)
        let entry = CacheEntry(value: fetched.value, version: nextID(), origin: step.now, lifespan: lifespan)
        guard publish(entry, for: key, &step) else { return }
        changeGate(of: key, &step) { $0.noteSuccess(meeting: 0) }
    }

    /// Caches a value, unless it is unusable or a value was inserted since its fetch began.
    ///
    /// - Returns: Whether the value is usable.
    mutating func publish(_ entry: CacheEntry<Value>, for key: Key, _ step: inout Step) -> Bool {
        let now = step.now
        let isUsable = entry.isUsable(at: now, needing: 0)
        let previous = entries[key]
        let isSuperseded = previous.map { $0.version > entry.version && $0.isUsable(at: now, needing: 0) } ?? false
        guard isUsable, !isSuperseded else {
            step.effects.retired.append(entry)
            return isUsable
        }
        if let previous { step.effects.retired.append(previous) }
        let flights = flights
        let evicted = entries.set(entry, for: key) { $1.rank(isInFlight: flights[$0] != nil, at: now) }
        if let evicted { noteEviction(evicted, &step) }
        return true
    }

    /// Evicts the entries beyond capacity that were kept for flights that have ended since.
    mutating func trim(_ step: inout Step) {
        let flights = flights
        let now = step.now
        while entries.slots.count > entries.capacity + flights.count {
            let evicted = entries.evict { $1.rank(isInFlight: flights[$0] != nil, at: now) }
            guard let evicted else { return }
            noteEviction(evicted, &step)
        }
    }

    private func noteEviction(_ evicted: ClockTable<Key, CacheEntry<Value>>.Slot, _ step: inout Step) {
        step.effects.retired.append(evicted.element)
        note(.evicted, of: evicted.key, &step)
    }

    mutating func invalidate(_ key: Key, version: UInt64, _ step: inout Step) {
        // A report about a value that was replaced meanwhile must not drop the new value.
        guard let entry = entries[key], entry.version == version else { return }
        entries.remove(key)
        step.effects.retired.append(entry)
        note(.invalidated, of: key, &step)
        let moment = step.moment
        changeGate(of: key, &step) { $0.noteRejection(age: moment.now.age(since: entry.origin), at: moment) }
    }

    /// Removes a key's value, its fetch and the state that concerns its user.
    ///
    /// Its hanging fetches still count, or removing the key would circumvent their limit.
    mutating func remove(_ key: Key, _ step: inout Step) {
        if let entry = entries[key] { step.effects.retired.append(entry) }
        entries.remove(key)
        if let flight = flights.removeValue(forKey: key) {
            abandon(flight, of: key, &step)
            end(flight, of: key, error: CacheError(.removed), &step)
        }
        let now = step.now
        changeGate(of: key, &step) { $0.noteRemoval(at: now) }
        note(.removed, of: key, &step)
    }

    /// Removes everything that was fetched, or began to be fetched, before.
    ///
    /// Backoff remains, or emptying the cache after each failure would circumvent it. Denials are removed, because they
    /// concern the user who was signed in. So are hanging fetches, which may wait for that user.
    mutating func removeAll(_ step: inout Step) {
        for (key, flight) in flights { end(flight, of: key, error: CacheError(.removed), &step) }
        clear(&step)
        removal = nextID()
    }

    /// Removes everything as ``removeAll(_:)`` does, but starts another fetch for the callers who wait.
    mutating func renewAll(_ step: inout Step) {
        let waiting = flights
        for (key, flight) in flights { noteEnd(of: flight, for: key, CacheError(.removed), &step) }
        clear(&step)
        renewal = nextID()
        for (key, flight) in waiting where !flight.waiters.isEmpty {
            if let refusal = refusal(of: key, at: step.now) {
                for waiter in flight.waiters.keys { step.effects.answers.append((waiter, .failure(refusal))) }
            } else {
                start(key, reason: .missing, for: flight.waiters, &step)
            }
        }
    }

    private mutating func clear(_ step: inout Step) {
        step.effects.retired.append(entries.removeAll())
        for flight in flights.values { step.effects.cancellations.append(flight.id) }
        step.effects.retired.append(abandoned)
        abandoned = AbandonedFetches(lifetime: rules.abandonedFetchLifetime)
        let now = step.now
        gates.forEach { $0.noteRemoval(at: now) }
        note(.removed, of: nil, &step)
        flights = [:]
    }
}
