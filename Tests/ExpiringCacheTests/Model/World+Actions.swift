import Timing

@testable import ExpiringCache

/// Something that can happen to a cache.
enum Action: Hashable {
    case get(caller: Int, key: Int)
    case prefetch(key: Int)
    case cancel(caller: Int)
    case timeOut(caller: Int)
    case succeed(fetch: Int)
    case succeedTooLate(fetch: Int)
    case fail(fetch: Int, TestError)
    case hang(fetch: Int)
    case insert(key: Int)
    case invalidate(key: Int)
    case invalidateOld(key: Int)
    case remove(key: Int)
    case removeAll
    case renewAll
    case advance(by: Int64)
    case setWallClock(by: Int64)
}

extension World {
    /// All that can happen next, but for what would only swap two equal callers.
    var actions: [Action] {
        var actions: [Action] = [.removeAll, .renewAll]
        let newcomers = [0, 1, 2].filter { callers[$0].wait == nil && !($0 == 1 && callers[0].wait == nil) }
        for key in keys {
            for caller in newcomers { actions.append(.get(caller: caller, key: key)) }
            actions += [.prefetch(key: key), .insert(key: key), .invalidateOld(key: key)]
            if state.entries[key] != nil { actions.append(.invalidate(key: key)) }
            if state.entries[key] != nil || state.flights[key] != nil { actions.append(.remove(key: key)) }
        }
        for caller in callers.indices where callers[caller].wait != nil {
            actions += [.cancel(caller: caller), .timeOut(caller: caller)]
        }
        for fetch in fetches.indices where !fetches[fetch].isQueued {
            actions += [.succeed(fetch: fetch), .fail(fetch: fetch, .retryable)]
            guard !fetches[fetch].isAbandoned else { continue }
            actions += [.succeedTooLate(fetch: fetch), .hang(fetch: fetch)]
            let retryAfter = TestError.retryableAfter(Self.retryAfter.seconds)
            actions += [.fail(fetch: fetch, retryAfter), .fail(fetch: fetch, .permanent)]
            actions += [.fail(fetch: fetch, .overloaded), .fail(fetch: fetch, .limited)]
        }
        actions += boundaries.map { .advance(by: $0) }
        if wallOffset <= 0 { actions.append(.setWallClock(by: Self.day)) }
        if wallOffset >= 0 { actions.append(.setWallClock(by: -Self.day)) }
        return actions
    }

    /// How far the wall clock was set from where it began.
    var wallOffset: Int64 { now.wall - now.continuous - 999_000 * Self.second }

    /// The times at which something changes by itself.
    private var boundaries: Set<Int64> {
        var moments: Set<Int64> = [now.continuous + Self.second]
        for slot in state.entries.slots {
            let lifetime = slot.element.value.lifetime
            for age in [lifetime - 85 * Self.second, lifetime - 30 * Self.second, lifetime - Self.reserve, lifetime] {
                moments.insert(slot.element.origin.continuous + age)
            }
        }
        moments.formUnion([sourcePenalty.pausedUntil, sourcePenalty.recovered, state.source.pause.until])
        for penalty in penalties { moments.formUnion([penalty.pausedUntil, penalty.deniedUntil, penalty.shortUntil]) }
        for gate in state.gates.slots { moments.formUnion([gate.element.pause.until, gate.element.denial.until]) }
        for fetch in fetches where fetch.isAbandoned { moments.insert(fetch.countsUntil) }
        for fetch in fetches where !fetch.isAbandoned && !fetch.isQueued {
            moments.formUnion([
                fetch.origin.continuous + Self.longestFetch + 1, fetch.origin.continuous + Self.lifetime,
            ])
        }
        return Set(moments.filter { $0 > now.continuous }.map { $0 - now.continuous })
    }

    mutating func apply(_ action: Action) throws(Violation) {
        switch action {
        case .get(let caller, let key): try get(caller, key)
        case .prefetch(let key): try carryOut(handle(.refresh(key)))
        case .cancel(let caller): try leave(caller, CancellationError())
        case .timeOut(let caller): try leave(caller, CacheError(.timedOut))
        case .succeed(let fetch): try finish(fetch, lifetime: Self.lifetime)
        case .succeedTooLate(let fetch): try finish(fetch, lifetime: 0)
        case .fail(let fetch, let error): try finish(fetch, error)
        case .hang(let fetch): try giveUp(fetch)
        case .insert(let key): try insert(key)
        case .invalidate(let key): try invalidate(key)
        case .invalidateOld(let key): try invalidateOld(key)
        case .remove(let key): try remove(key)
        case .removeAll: try removeAll()
        case .renewAll: try renewAll()
        case .advance(let span): now = Instant(continuous: now.continuous + span, wall: now.wall + span)
        case .setWallClock(let span): now = Instant(continuous: now.continuous, wall: now.wall + span)
        }
        try checkInvariants()
    }

    private mutating func handle(_ input: State.Input) -> State.Effects {
        let before = state
        var effects = state.handle(input, at: now, jitter: 0)
        if let fault { plant(fault, after: input, before, &effects) }
        return effects
    }

    // MARK: - Callers

    private mutating func get(_ caller: Int, _ key: Int) throws(Violation) {
        let needed = callers[caller].needed
        switch state.lookUp(key, needing: needed, at: fault?.lookUpTime(now) ?? now, { $0 }) {
        case .fresh(let entry):
            try checkReturned(entry.value, of: key, needing: needed)
        case .due(let entry):
            try checkReturned(entry.value, of: key, needing: needed)
            let mustStart = state.flights[key] == nil && !isBarred(key)
            let effects = handle(.refresh(key))
            try require(!mustStart || effects.starts.count == 1, "L3: a refresh is due, may start, and doesn't")
            try carryOut(effects)
        case .miss:
            try wait(caller, key)
        }
    }

    private mutating func wait(_ caller: Int, _ key: Int) throws(Violation) {
        let needed = callers[caller].needed
        let waiter = state.nextID()
        callers[caller].wait = (key, waiter)
        let mustNotAsk = remembersFailures && state.flights[key] == nil && isShort(key, needing: needed)
        let effects = handle(.request(.init(key: key, waiter: waiter, needed: needed)))
        try require(!mustNotAsk || effects.starts.isEmpty, "P8: a fetch started for more than the source has")
        try carryOut(effects)
        if callers[caller].wait == nil {
            let mayRefuse = isBarred(key) || isShort(key, needing: needed)
            try require(mayRefuse, "B51: a caller was refused for another caller's sake, or for no reason")
        } else if let flight = state.flights[key] {
            let isYoung = flight.isQueued || age(since: flight.origin) <= Self.longestFetch
            try require(isYoung, "B58: a caller waits for a fetch that should have been given up long ago")
        }
    }

    private mutating func leave(_ caller: Int, _ error: any Error) throws(Violation) {
        guard let (key, waiter) = callers[caller].wait else { return }
        var expected = self
        expected.state.flights[key]?.waiters[waiter] = nil
        expected.callers[caller].wait = nil
        // Each input is an occasion to start what is queued.
        try expected.startQueued()
        let effects = handle(.leave(key, waiter, error))
        try require(effects.answers.map(\.waiter) == [waiter], "P3: whoever leaves is answered, and nobody else")
        try carryOut(effects)
        try require(fingerprint == expected.fingerprint, "P7: whoever leaves takes nothing but itself away")
        let again = handle(.leave(key, waiter, error))
        try require(again.answers.isEmpty, "P3: whoever leaves twice is answered once")
    }

    // MARK: - Results

    private mutating func finish(_ index: Int, lifetime: Int64) throws(Violation) {
        let fetch = fetches.remove(at: index)
        let key = fetch.plan.key
        let value = Ghost(key: key, origin: fetch.origin, lifetime: lifetime, generation: fetch.generation)
        let newer = state.entries[key].map { isUsable($0.value, needing: 0) ? $0.version : 0 } ?? 0
        let wasCurrent = !fetch.isAbandoned
        let waiters = waitingCallers(key)
        let isUseless = !isUsable(value, needing: 0)
        if wasCurrent { noteResponse(to: fetch) }
        let effects = handle(.succeed(fetch.plan, Fetched(value, lifetime: lifetime.seconds)))
        try carryOut(effects)
        if wasCurrent, isUseless {
            let mayRepeat = lifetime > 0 && !fetch.isRepeat && !waiters.isEmpty
            return try checkEnd(of: fetch, waiters, effects, .alreadyExpired, mayRepeat: mayRepeat)
        }
        let met = waiters.map(\.needed).filter { self.isUsable(value, needing: $0) }
        let slept = age(since: fetch.origin) > Self.longestFetch
        let isRepeated = wasCurrent && slept && !effects.starts.isEmpty
        try checkAnswers(effects, to: !wasCurrent ? 0 : isRepeated ? met.count : waiters.count)
        try require((state.entries[key]?.version ?? .max) >= newer, "P5: an older value replaced a newer one")
        for case .success in effects.answers.map(\.result) {
            guard case .miss = lookUp(key), !effects.evicted.contains(key) else { continue }
            throw Violation("P4: a waiter was answered with a value that isn't there to be found")
        }
        guard wasCurrent else { return }
        noteSuccess(key, meeting: met.max() ?? 0)
        noteSourceSuccess(key)
        guard met.count < waiters.count else { return }
        let mustRepeat = slept && !isBarred(key)
        try require(isRepeated == mustRepeat || !remembersFailures, "B58: a fetch that slept is repeated for the unmet")
        if !isRepeated { noteShortfall(key, lifetime: lifetime - age(since: fetch.origin)) }
    }

    /// A fetch ended without a value of use: all who wait are told so, unless its source had no part in it.
    private mutating func checkEnd(
        of fetch: Fetch,
        _ waiters: [Caller],
        _ effects: State.Effects,
        _ code: CacheError.Code,
        mayRepeat: Bool = false
    ) throws(Violation) {
        let key = fetch.plan.key
        if mayRepeat || age(since: fetch.origin) > Self.longestFetch {
            let isRepeated = !effects.starts.isEmpty
            let mustRepeat = !waiters.isEmpty && !(remembersFailures && isBarred(key))
            let isRight = isRepeated == mustRepeat || !remembersFailures
            try require(isRight, "B58: a fetch that slept is repeated for those who wait")
            return try checkAnswers(effects, to: isRepeated ? 0 : waiters.count)
        }
        try checkAnswers(effects, to: waiters.count)
        try checkFailures(effects, code)
        noteFailure(key)
    }

    private mutating func finish(_ index: Int, _ error: TestError) throws(Violation) {
        let fetch = fetches.remove(at: index)
        let waiters = waitingCallers(fetch.plan.key)
        let input = State.Input.fail(fetch.plan, error, error.retry, error.extent)
        guard !fetch.isAbandoned else {
            let effects = handle(input)
            try carryOut(effects)
            return try checkAnswers(effects, to: 0)
        }
        if error == .permanent { noteResponse(to: fetch) }
        if concernsAll(error, of: fetch) {
            return try failSource(fetch, input, .unavailable, retryAfter: error == .retryable ? 0 : Self.retryAfter)
        }
        let effects = handle(input)
        try carryOut(effects)
        if error == .retryable { return try checkEnd(of: fetch, waiters, effects, .unavailable) }
        try checkAnswers(effects, to: waiters.count)
        try checkFailures(effects, error == .permanent ? .denied : .unavailable)
        if error == .permanent {
            noteDenial(fetch.plan.key)
        } else {
            noteFailure(fetch.plan.key, retryAfter: Self.retryAfter)
        }
    }

    /// The source itself failed: those who wait for fetches that were not sent yet are told so as well.
    private mutating func failSource(
        _ fetch: Fetch,
        _ input: State.Input,
        _ code: CacheError.Code,
        retryAfter: Int64
    ) throws(Violation) {
        let queued = fetches.filter(\.isQueued).map(\.plan.key)
        let waiters = waitingCallers(fetch.plan.key).count + queued.reduce(0) { $0 + waitingCallers($1).count }
        let gates = state.gates.slots.count
        let effects = handle(input)
        noteSourceFailure(of: fetch, retryAfter: retryAfter)
        try carryOut(effects)
        try checkAnswers(effects, to: waiters)
        try checkFailures(effects, code)
        try require(!fetches.contains(where: \.isQueued), "P14: nothing stays queued for a source that failed")
        try require(state.gates.slots.count == gates, "P14: the source's failure is no key's")
    }

    private mutating func giveUp(_ index: Int) throws(Violation) {
        let fetch = fetches[index]
        let waiters = waitingCallers(fetch.plan.key)
        if concernsAll(.retryable, of: fetch) {
            return try failSource(fetch, .giveUp(fetch.plan), .fetchTimedOut, retryAfter: 0)
        }
        let effects = handle(.giveUp(fetch.plan))
        try carryOut(effects)
        try checkEnd(of: fetch, waiters, effects, .fetchTimedOut)
    }

    // MARK: - Keeping

    private mutating func insert(_ key: Int) throws(Violation) {
        let value = Ghost(key: key, origin: now, lifetime: Self.lifetime, generation: generations[key])
        try carryOut(handle(.insert(key, Fetched(value, lifetime: Self.lifetime.seconds))))
        noteSuccess(key)
        guard case .fresh = lookUp(key) else { throw Violation("An inserted value isn't there") }
    }

    private mutating func invalidate(_ key: Int) throws(Violation) {
        guard let entry = state.entries[key] else { return }
        let age = now.age(since: entry.value.origin)
        try carryOut(handle(.invalidate(key, version: entry.version)))
        try require(state.entries[key] == nil, "An invalidated value is still there")
        noteRejection(key, age: age)
    }

    private mutating func invalidateOld(_ key: Int) throws(Violation) {
        var expected = self
        try expected.startQueued()
        let old = (state.entries[key]?.version ?? 1) - 1
        try carryOut(handle(.invalidate(key, version: old)))
        try require(fingerprint == expected.fingerprint, "The rejection of an old value changed something")
    }

    private mutating func remove(_ key: Int) throws(Violation) {
        let waiting = waitingCallers(key).count
        let others = keys.filter { $0 != key }.map { (state.entries[$0]?.version, state.flights[$0]?.id) }
        generations[key] += 1
        let effects = handle(.remove(key))
        try carryOut(effects)
        try require(state.entries[key] == nil && state.flights[key] == nil, "P6: a removed value is kept")
        try require(
            keys.filter { $0 != key }.map { (state.entries[$0]?.version, state.flights[$0]?.id) }
                .elementsEqual(others, by: ==),
            "P12: removing a key changed another"
        )
        try checkAnswers(effects, to: waiting)
        try checkFailures(effects, .removed)
        noteRemoval(key)
    }

    private mutating func removeAll() throws(Violation) {
        let waiting = callers.count { $0.wait != nil }
        let barred = keys.filter { isBarred($0) }
        for key in keys { generations[key] += 1 }
        let effects = handle(.removeAll)
        try carryOut(effects)
        try require(state.entries.slots.isEmpty, "P6: a removed value is kept")
        try checkAnswers(effects, to: waiting)
        try checkFailures(effects, .removed)
        for index in fetches.indices { fetches[index].countsUntil = .min }
        for key in keys { noteRemoval(key) }
        for key in barred where !isSourcePaused && now.continuous >= penalties[key].pausedUntil {
            var next = state
            let starts = next.handle(.refresh(key), at: now, jitter: 0).starts
            try require(starts.count == 1, "B53: a sign-out leaves no denial and no hung fetch in the way")
        }
    }

    /// Other credentials: values go, and callers who wait do so for new fetches.
    private mutating func renewAll() throws(Violation) {
        let old = Set(fetches.map(\.plan.id))
        let waiting = callers.indices.filter { callers[$0].wait != nil }
        for key in keys {
            generations[key] += 1
            noteRemoval(key)
        }
        for index in fetches.indices { fetches[index].countsUntil = .min }
        let effects = handle(.renewAll)
        let refused = callers.filter { caller in effects.answers.contains { $0.waiter == caller.wait?.waiter } }
        try carryOut(effects)
        for index in fetches.indices { fetches[index].countsUntil = .min }
        try require(state.entries.slots.isEmpty, "P6: a removed value is kept")
        try require(
            state.flights.values.allSatisfy { !old.contains($0.id) },
            "P16: a fetch with the old credentials still counts"
        )
        for caller in refused {
            guard let key = caller.wait?.key else { continue }
            try require(!remembersFailures || isBarred(key), "P16: a caller was refused, though a fetch may start")
        }
        try require(
            callers.count { $0.wait != nil } + effects.answers.count == waiting.count,
            "P16: callers go on waiting, or are refused"
        )
    }

    // MARK: - Effects

    private mutating func carryOut(_ effects: State.Effects) throws(Violation) {
        for plan in effects.starts {
            try require(mayStart(plan.key), "P8: a fetch started before its key's pause was over")
            let isRepeat = state.flights[plan.key]?.isRepeat ?? false
            state.enqueue(plan)
            var fetch = Fetch(plan: plan, origin: now, generation: generations[plan.key], isRepeat: isRepeat)
            fetch.isQueued = true
            fetches.append(fetch)
        }
        for id in effects.cancellations {
            guard let index = fetches.firstIndex(where: { $0.plan.id == id }) else {
                throw Violation("A fetch was cancelled that doesn't run")
            }
            guard !fetches[index].isQueued else {
                fetches.remove(at: index)
                continue
            }
            fetches[index].isAbandoned = true
            fetches[index].countsUntil = now.continuous + Self.abandonment
        }
        for (waiter, result) in effects.answers {
            guard let caller = callers.firstIndex(where: { $0.wait?.waiter == waiter }),
                let key = callers[caller].wait?.key
            else { throw Violation("P3: somebody was answered who doesn't wait") }
            if case .success(let entry) = result {
                try checkReturned(entry.value, of: key, needing: callers[caller].needed)
            }
            callers[caller].wait = nil
        }
        try startQueued()
    }

    /// Starts the queued fetches whose turn it is, in the order in which they came.
    private mutating func startQueued() throws(Violation) {
        while let index = fetches.firstIndex(where: \.isQueued) {
            let running = fetches.filter { !$0.isQueued && !$0.isAbandoned }.map(\.plan.id)
            guard state.source.allowsFetch(beside: running, at: now) else { return }
            try require(!isSourcePaused, "P14: a fetch started before the source's pause was over")
            state.begin(fetches[index].plan, at: now)
            fetches[index].isQueued = false
            fetches[index].origin = now
            fetches[index].sourceFailures = sourcePenalty.total
        }
    }
}

extension World.State.Effects {
    /// The keys whose values made way for others.
    fileprivate var evicted: [Int] {
        events.filter { $0.name == .evicted }.compactMap(\.key)
    }
}
