extension CacheState {
    mutating func handle(_ request: Request, _ turn: inout Turn) {
        let key = request.key
        // The caller looked up the key without this lock: a value it missed may be cached by now.
        switch request.isForced ? .miss : lookUp(key, needing: request.needed, at: turn.now) {
        case .fresh(let entry):
            answer(request, with: entry, &turn)
        case .due(let entry):
            answer(request, with: entry, &turn)
            refresh(key, &turn)
        case .miss:
            renewIfOverslept(key, &turn)
            if let refusal = refusal(of: request, at: turn.now) {
                turn.effects.answers.append((request.waiter, .failure(refusal)))
                return
            }
            if flights[key] == nil { start(key, reason: reasonToWait(request, at: turn.now), &turn) }
            flights[key]?.waiters[request.waiter] = request.needed
            turn.effects.events.append(.wait(key))
        }
    }

    /// Starts a background fetch, unless the value is fresh or no fetch is allowed now.
    mutating func refresh(_ key: Key, _ turn: inout Turn) {
        renewIfOverslept(key, &turn)
        guard flights[key] == nil, refusal(of: key, at: turn.now) == nil else { return }
        guard let entry = usableEntry(key, at: turn.now) else {
            return start(key, reason: reasonToWait(key, at: turn.now), &turn)
        }
        guard !entry.isFresh(at: turn.now) else { return }
        start(key, reason: .refreshAhead, &turn)
    }

    mutating func leave(_ key: Key, waiter: WaiterID, error: any Error, _ turn: inout Turn) {
        // A waiter that was already resumed, with a result or for another reason, isn't resumed again.
        guard flights[key]?.waiters.removeValue(forKey: waiter) != nil else { return }
        turn.effects.answers.append((waiter, .failure(error)))
    }

    private func answer(_ request: Request, with entry: CacheEntry<Value>, _ turn: inout Turn) {
        turn.effects.answers.append((request.waiter, .success(entry)))
        turn.effects.events.append(.hit(request.key))
    }

    mutating func start(
        _ key: Key,
        reason: FetchReason,
        isRepeat: Bool = false,
        for waiters: [WaiterID: Int64] = [:],
        _ turn: inout Turn
    ) {
        let flight = Flight(id: nextID(), origin: turn.now, reason: reason, isRepeat: isRepeat, waiters: waiters)
        flights[key] = flight
        let failures = source.failures + (gates[key].map { $0.failures + $0.denials } ?? 0)
        turn.effects.starts.append(FlightPlan(id: flight.id, key: key, reason: reason, failures: failures))
        turn.effects.events.append(.fetchStarted(key, reason))
    }

    private func refusal(of request: Request, at now: Instant) -> CacheError? {
        guard let flight = flights[request.key] else {
            return refusal(of: request.key, needing: request.needed, at: now)
        }
        return flight.id == request.caller ? CacheError(.reentrant) : nil
    }

    /// Returns the reason why no fetch may start now; nil if it may.
    func refusal(of key: Key, needing needed: Int64 = 0, at now: Instant) -> CacheError? {
        let hasValue = usableEntry(key, at: now) != nil
        if let refusal = gates[key]?.refusal(needing: needed, hasValue: hasValue, at: now) { return refusal }
        if let refusal = source.refusal(at: now) { return refusal }
        let (count, until) = abandoned.count(of: key, at: now)
        guard count >= rules.maximumAbandonedFetches else { return nil }
        return CacheError(.stuck).retrying(after: until &- now.continuous)
    }

    private func reasonToWait(_ request: Request, at now: Instant) -> FetchReason {
        let isEnough = request.isForced && entries[request.key]?.isUsable(at: now, needing: request.needed) == true
        return isEnough ? .forced : reasonToWait(request.key, at: now)
    }

    func reasonToWait(_ key: Key, at now: Instant) -> FetchReason {
        if let entry = entries[key] { return entry.isUsable(at: now, needing: 0) ? .insufficient : .expired }
        return gates[key]?.awaitsReplacement == true ? .rejected : .missing
    }
}
