import Timing

extension CacheState {
    mutating func handle(_ request: Request, _ step: inout Step) {
        let key = request.key
        // The caller looked up the key without this lock: a value it missed may be cached by now.
        switch lookUp(key, needing: request.needed, at: step.now, { $0 }) {
        case .fresh(let entry):
            answer(request, with: entry, &step)
        case .due(let entry):
            answer(request, with: entry, &step)
            refresh(key, &step)
        case .miss:
            renewIfOverslept(key, &step)
            if let refusal = refusal(of: request, at: step.now) {
                step.effects.answers.append((request.waiter, .failure(refusal)))
                return
            }
            if flights[key] == nil { start(key, reason: reasonToWait(key, at: step.now), &step) }
            flights[key]?.waiters[request.waiter] = request.needed
            note(.wait, of: key, &step)
        }
    }

    /// Starts a background fetch, unless the value is fresh or no fetch is allowed now.
    mutating func refresh(_ key: Key, _ step: inout Step) {
        renewIfOverslept(key, &step)
        guard flights[key] == nil, refusal(of: key, at: step.now) == nil else { return }
        guard let entry = usableEntry(key, at: step.now) else {
            return start(key, reason: reasonToWait(key, at: step.now), &step)
        }
        guard !entry.isFresh(at: step.now) else { return }
        start(key, reason: .refreshAhead, &step)
    }

    mutating func leave(_ key: Key, waiter: WaiterID, error: any Error, _ step: inout Step) {
        // A waiter that was already resumed, with a result or for another reason, isn't resumed again.
        guard flights[key]?.waiters.removeValue(forKey: waiter) != nil else { return }
        step.effects.answers.append((waiter, .failure(error)))
    }

    private func answer(_ request: Request, with entry: CacheEntry<Value>, _ step: inout Step) {
        step.effects.answers.append((request.waiter, .success(entry)))
        note(.hit, of: request.key, &step)
    }

    mutating func start(
        _ key: Key,
        reason: FetchReason,
        isRepeat: Bool = false,
        for waiters: [WaiterID: Int64] = [:],
        _ step: inout Step
    ) {
        let flight = Flight(id: nextID(), origin: step.now, reason: reason, isRepeat: isRepeat, waiters: waiters)
        flights[key] = flight
        step.effects.starts.append(FlightPlan(id: flight.id, key: key, reason: reason))
        note(.fetchStarted, of: key, reason: reason, &step)
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

    func reasonToWait(_ key: Key, at now: Instant) -> FetchReason {
        if let entry = entries[key] { return entry.isUsable(at: now, needing: 0) ? .insufficient : .expired }
        return gates[key]?.awaitsReplacement == true ? .rejected : .missing
    }
}

extension CacheState {
    /// What a caller gets that was given a value but resumes only now.
    enum Late {
        case value(Value)
        /// All values were removed meanwhile.
        case removed
        /// The value belongs to earlier credentials.
        case renewed
        case expired
    }

    /// Returns the newest value for a caller that was given one but resumes only now.
    mutating func take(_ entry: CacheEntry<Value>, of key: Key, needing needed: Int64, at now: Instant) -> Late {
        guard entry.version > removal else { return .removed }
        switch lookUp(key, needing: needed, at: now, { $0.value }) {
        case .fresh(let newest), .due(let newest): return .value(newest)
        case .miss where entry.version <= renewal: return .renewed
        case .miss: return entry.isUsable(at: now, needing: needed) ? .value(entry.value) : .expired
        }
    }

    /// Returns whether a queued fetch is still useful: a caller waits for it, or it was queued recently.
    ///
    /// Without a bound, a hanging source would accumulate fetches whose callers have all timed out.
    func isWanted(_ plan: FlightPlan, at now: Instant, within patience: Int64) -> Bool {
        guard let flight = flights[plan.key] else { return false }
        return !flight.waiters.isEmpty || now.age(since: flight.origin) <= patience
    }

    /// Marks a fetch as queued.
    mutating func enqueue(_ plan: FlightPlan) {
        flights[plan.key]?.isQueued = true
    }

    /// Marks a queued fetch as started: its time limit and the lifetime of its value count from here.
    mutating func begin(_ plan: FlightPlan, at now: Instant) {
        flights[plan.key]?.origin = now
        flights[plan.key]?.isQueued = false
    }
}

/// The result of a look-up.
@usableFromInline
enum LookUp<Found> {
    /// A usable value.
    case fresh(Found)
    /// A usable value whose refresh is due.
    case due(Found)
    /// No usable value.
    case miss
}
