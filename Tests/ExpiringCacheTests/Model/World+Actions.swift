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
    case removeAll
    case advance(by: Int64)
    case setWallClock(forwardBy: Int64)
}

extension World {
    /// All that can happen next, but for what would only swap two equal callers.
    var actions: [Action] {
        var actions: [Action] = [.removeAll]
        let newcomers = [0, 1, 2].filter { callers[$0].wait == nil && !($0 == 1 && callers[0].wait == nil) }
        for key in keys {
            for caller in newcomers { actions.append(.get(caller: caller, key: key)) }
            actions += [.prefetch(key: key), .insert(key: key), .invalidateOld(key: key)]
            if state.entries[key] != nil { actions.append(.invalidate(key: key)) }
        }
        for caller in callers.indices where callers[caller].wait != nil {
            actions += [.cancel(caller: caller), .timeOut(caller: caller)]
        }
        for fetch in fetches.indices {
            actions += [.succeed(fetch: fetch), .fail(fetch: fetch, .retryable)]
            guard !fetches[fetch].isAbandoned else { continue }
            actions += [.succeedTooLate(fetch: fetch), .hang(fetch: fetch)]
            let retryAfter = TestError.retryableAfter(Self.retryAfter.seconds)
            actions += [.fail(fetch: fetch, retryAfter), .fail(fetch: fetch, .permanent)]
        }
        actions += boundaries.map { .advance(by: $0) }
        if wallOffset <= 0 { actions.append(.setWallClock(forwardBy: Self.day)) }
        if wallOffset >= 0 { actions.append(.setWallClock(forwardBy: -Self.day)) }
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
        for penalty in penalties { moments.formUnion([penalty.pausedUntil, penalty.deniedUntil]) }
        for gate in state.gates.slots { moments.formUnion([gate.element.pausedUntil, gate.element.deniedUntil]) }
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
        case .removeAll: try removeAll()
        case .advance(let span): now = Instant(continuous: now.continuous + span, wall: now.wall + span)
        case .setWallClock(let span): now = Instant(continuous: now.continuous, wall: now.wall + span)
        }
        try checkInvariants()
    }

    private mutating func handle(_ input: State.Input) -> State.Effects {
        state.handle(input, at: now, jitter: 0)
    }

    // MARK: - Callers

    private mutating func get(_ caller: Int, _ key: Int) throws(Violation) {
        let needed = callers[caller].needed
        switch state.lookUp(key, needing: needed, at: now) {
        case .fresh(let value):
            try checkReturned(value, of: key, needing: needed)
        case .due(let value):
            try checkReturned(value, of: key, needing: needed)
            let isPaused = isPaused(key) || abandonedCount(key) == Self.maximumAbandoned
            let mustStart = state.flights[key] == nil && !isPaused
            let effects = handle(.refresh(key))
            try require(!mustStart || effects.starts.count == 1, "L3: a refresh is due, may start, and doesn't")
            try carryOut(effects)
        case .miss:
            let waiter = state.nextID()
            callers[caller].wait = (key, waiter)
            try carryOut(handle(.request(.init(key: key, waiter: waiter, needed: needed))))
        }
    }

    private mutating func leave(_ caller: Int, _ error: any Error) throws(Violation) {
        guard let (key, waiter) = callers[caller].wait else { return }
        var expected = self
        expected.state.flights[key]?.waiters[waiter] = nil
        expected.callers[caller].wait = nil
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
        let effects = handle(.succeed(fetch.plan, Fetched(value, lifetime: lifetime.seconds)))
        try carryOut(effects)
        try checkAnswers(effects, to: wasCurrent ? waiters.count : 0)
        try require((state.entries[key]?.version ?? .max) >= newer, "P5: an older value replaced a newer one")
        for case .success in effects.answers.map(\.result) {
            guard case .miss = lookUp(key), !effects.evicted.contains(key) else { continue }
            throw Violation("P4: a waiter was answered with a value that isn't there to be found")
        }
        guard wasCurrent else { return }
        let isEnough = isUsable(value, needing: waiters.map(\.needed).max() ?? 0)
        if isEnough { penalties[key].failures = 0 } else { noteFailure(key) }
    }

    private mutating func finish(_ index: Int, _ error: TestError) throws(Violation) {
        let fetch = fetches.remove(at: index)
        let waiters = waitingCallers(fetch.plan.key)
        let effects = handle(.fail(fetch.plan, error, error.retry))
        try carryOut(effects)
        try checkAnswers(effects, to: fetch.isAbandoned ? 0 : waiters.count)
        guard !fetch.isAbandoned else { return }
        try checkFailures(effects, error == .permanent ? .denied : .unavailable)
        switch error {
        case .retryable: noteFailure(fetch.plan.key)
        case .retryableAfter: noteFailure(fetch.plan.key, retryAfter: Self.retryAfter)
        case .permanent: noteFailure(fetch.plan.key, denial: Self.denial)
        }
    }

    private mutating func giveUp(_ index: Int) throws(Violation) {
        let plan = fetches[index].plan
        let waiters = waitingCallers(plan.key)
        let effects = handle(.giveUp(plan))
        try carryOut(effects)
        try checkAnswers(effects, to: waiters.count)
        try checkFailures(effects, .fetchTimedOut)
        noteFailure(plan.key)
    }

    // MARK: - Keeping

    private mutating func insert(_ key: Int) throws(Violation) {
        let value = Ghost(key: key, origin: now, lifetime: Self.lifetime, generation: generation)
        try carryOut(handle(.insert(key, Fetched(value, lifetime: Self.lifetime.seconds))))
        penalties[key].failures = 0
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
        let before = fingerprint
        let old = (state.entries[key]?.version ?? 1) - 1
        try carryOut(handle(.invalidate(key, version: old)))
        try require(fingerprint == before, "The rejection of an old value changed something")
    }

    private mutating func removeAll() throws(Violation) {
        let waiting = callers.count { $0.wait != nil }
        generation += 1
        let effects = handle(.removeAll)
        try carryOut(effects)
        try checkAnswers(effects, to: waiting)
        try checkFailures(effects, .removed)
        for key in keys { penalties[key].deniedUntil = .min }
    }

    // MARK: - Effects

    private mutating func carryOut(_ effects: State.Effects) throws(Violation) {
        for plan in effects.starts {
            try require(mayStart(plan.key), "P8: a fetch started before its key's pause was over")
            fetches.append(Fetch(plan: plan, origin: now, generation: generation))
        }
        for id in effects.cancellations {
            guard let index = fetches.firstIndex(where: { $0.plan.id == id }) else {
                throw Violation("A fetch was cancelled that doesn't run")
            }
            fetches[index].isAbandoned = true
        }
        for (waiter, result) in effects.answers {
            guard let caller = callers.firstIndex(where: { $0.wait?.waiter == waiter }),
                let key = callers[caller].wait?.key
            else { throw Violation("P3: somebody was answered who doesn't wait") }
            if case .success(let value) = result {
                try checkReturned(value, of: key, needing: callers[caller].needed)
            }
            callers[caller].wait = nil
        }
    }
}

extension World.State.Effects {
    /// The keys whose values made way for others.
    fileprivate var evicted: [Int] {
        events.compactMap { if case .evicted(let key) = $0 { key } else { nil } }
    }
}
