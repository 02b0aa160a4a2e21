extension CacheState {
    mutating func handle(_ request: Request, _ turn: inout Turn) {
        let key = request.key
        // The caller looked before, but not under this lock: what it missed may be here by now.
        switch lookUp(key, needing: request.needed, at: turn.now) {
        case .fresh(let value):
            answer(request, with: value, &turn)
        case .due(let value):
            answer(request, with: value, &turn)
            refresh(key, &turn)
        case .miss:
            if let refusal = refusal(of: request, at: turn.now) {
                turn.effects.answers.append((request.waiter, .failure(refusal)))
                return
            }
            if flights[key] == nil { start(key, reason: reasonToWait(key, at: turn.now), &turn) }
            flights[key]?.waiters[request.waiter] = request.needed
            turn.effects.events.append(.wait(key))
        }
    }

    /// Starts a fetch that nobody waits for, unless the value is fresh or nothing may be fetched now.
    mutating func refresh(_ key: Key, _ turn: inout Turn) {
        guard flights[key] == nil, refusal(of: key, at: turn.now) == nil else { return }
        guard let entry = entries[key], entry.isUsable(at: turn.now, needing: 0) else {
            return start(key, reason: reasonToWait(key, at: turn.now), &turn)
        }
        guard !entry.isFresh(at: turn.now) else { return }
        start(key, reason: .refreshAhead, &turn)
    }

    mutating func leave(_ key: Key, _ waiter: WaiterID, _ error: any Error, _ turn: inout Turn) {
        // Whoever was answered already, by a result or for another reason, isn't answered again.
        guard flights[key]?.waiters.removeValue(forKey: waiter) != nil else { return }
        turn.effects.answers.append((waiter, .failure(error)))
    }

    private func answer(_ request: Request, with value: Value, _ turn: inout Turn) {
        turn.effects.answers.append((request.waiter, .success(value)))
        turn.effects.events.append(.hit(request.key))
    }

    private mutating func start(_ key: Key, reason: FetchReason, _ turn: inout Turn) {
        let flight = Flight(id: nextID(), origin: turn.now, reason: reason)
        flights[key] = flight
        let failures = gates[key]?.failures ?? 0
        turn.effects.starts.append(FlightPlan(id: flight.id, key: key, reason: reason, failures: failures))
        turn.effects.events.append(.fetchStarted(key, reason))
    }

    private func refusal(of request: Request, at now: Instant) -> CacheError? {
        guard let flight = flights[request.key] else { return refusal(of: request.key, at: now) }
        return flight.id == request.caller ? CacheError(.reentrant) : nil
    }

    /// Why no fetch may be started now.
    private func refusal(of key: Key, at now: Instant) -> CacheError? {
        if let refusal = gates[key]?.refusal(at: now) { return refusal }
        return abandoned[key, default: 0] >= rules.maximumAbandonedFetches ? CacheError(.stuck) : nil
    }

    private func reasonToWait(_ key: Key, at now: Instant) -> FetchReason {
        if let entry = entries[key] { return entry.isUsable(at: now, needing: 0) ? .insufficient : .expired }
        return gates[key]?.awaitsReplacement == true ? .rejected : .missing
    }
}
