extension CacheState {
    mutating func handle(_ request: Request, at now: Instant, _ effects: inout Effects) {
        let key = request.key
        // The caller looked before, but not under this lock: what it missed may be here by now.
        switch lookUp(key, needing: request.needed, at: now) {
        case .fresh(let value):
            effects.answers.append((request.waiter, .success(value)))
            effects.events.append(.hit(key))
            return
        case .due(let value):
            effects.answers.append((request.waiter, .success(value)))
            effects.events.append(.hit(key))
            refresh(key, at: now, &effects)
            return
        case .miss: break
        }
        if flights[key] == nil {
            if let refusal = refusal(of: key, at: now) {
                effects.answers.append((request.waiter, .failure(refusal)))
                return
            }
            start(key, reason: reasonToWait(key, at: now), at: now, &effects)
        } else if flights[key]?.id == request.caller {
            effects.answers.append((request.waiter, .failure(CacheError(.reentrant))))
            return
        }
        flights[key]?.waiters[request.waiter] = request.needed
        effects.events.append(.wait(key))
    }

    /// Starts a fetch that nobody waits for, unless the value is fresh or nothing may be fetched now.
    mutating func refresh(_ key: Key, at now: Instant, _ effects: inout Effects) {
        guard flights[key] == nil, refusal(of: key, at: now) == nil else { return }
        guard let entry = entries[key], entry.isUsable(at: now, needing: 0) else {
            return start(key, reason: reasonToWait(key, at: now), at: now, &effects)
        }
        guard !entry.isFresh(at: now) else { return }
        start(key, reason: .refreshAhead, at: now, &effects)
    }

    mutating func leave(_ key: Key, _ waiter: WaiterID, _ error: any Error, _ effects: inout Effects) {
        // Whoever was answered already, by a result or for another reason, isn't answered again.
        guard flights[key]?.waiters.removeValue(forKey: waiter) != nil else { return }
        effects.answers.append((waiter, .failure(error)))
    }

    private mutating func start(_ key: Key, reason: FetchReason, at now: Instant, _ effects: inout Effects) {
        let flight = Flight(id: nextID(), origin: now, reason: reason)
        flights[key] = flight
        let failures = gates[key]?.failures ?? 0
        effects.starts.append(FlightPlan(id: flight.id, key: key, reason: reason, failures: failures))
        effects.events.append(.fetchStarted(key, reason))
    }

    private func refusal(of key: Key, at now: Instant) -> CacheError? {
        if let refusal = gates[key]?.refusal(at: now) { return refusal }
        return abandoned[key, default: 0] >= rules.maximumAbandonedFetches ? CacheError(.stuck) : nil
    }

    private func reasonToWait(_ key: Key, at now: Instant) -> FetchReason {
        if let entry = entries[key] { return entry.isUsable(at: now, needing: 0) ? .insufficient : .expired }
        return gates[key]?.awaitsReplacement == true ? .rejected : .missing
    }
}
