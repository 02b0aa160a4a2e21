@testable import ExpiringCache

/// The machine and the stories of its keys, side by side.
struct Trial {
    /// What a step leads to.
    struct Outcome: Hashable {
        enum Answer: Hashable {
            case value(Int)
            case failure(CacheError.Code)
        }

        var answers: [WaiterID: Answer] = [:]
        var start: FetchReason?
        var cancellations: Set<FlightID> = []
    }

    private struct Fetch {
        let plan: CacheState<Int, Int>.FlightPlan
        let order: Int
        let began: Story.Moment
        var waiters: [WaiterID: Int] = [:]
        var isAbandoned = false
    }

    private static let maximumAbandoned = 2

    private var state: CacheState<Int, Int>
    private var stories: [Story]
    private var fetches: [Fetch] = []
    private var now = Story.Moment(continuous: 0, wall: 1_000_000_000)
    private var order = 0

    init(keys: Int) {
        var configuration = CacheConfiguration()
        configuration.minimumRemaining = 30
        configuration.refreshAhead = 40
        configuration.backoff = 2...16
        configuration.denialLifetime = 10
        configuration.maximumAbandonedFetches = Self.maximumAbandoned
        state = CacheState(configuration)
        stories = Array(repeating: Story(), count: keys)
    }

    /// Takes a step with both.
    ///
    /// - Returns: How they differ, if they do.
    mutating func take(_ step: Step) -> String? {
        order += 1
        let difference = takeBoth(step)
        if let difference { return difference }
        for key in stories.indices {
            let kept = state.entries[key]?.value
            let expected = stories[key].kept?.number
            if kept != expected { return "key \(key) keeps \(kept ?? 0), not \(expected ?? 0)" }
        }
        return nil
    }

    private mutating func takeBoth(_ step: Step) -> String? {
        switch step {
        case .get(let key, let needed): return get(key, needed)
        case .prefetch(let key): return prefetch(key)
        case .leave(let pick): return leave(pick)
        case .succeed(let pick, let lifetime, let jitter): return succeed(pick, lifetime, jitter)
        case .fail(let pick, let retryAfter, let jitter): return fail(pick, retryAfter, jitter)
        case .deny(let pick, let jitter): return deny(pick, jitter)
        case .giveUp(let pick, let jitter): return giveUp(pick, jitter)
        case .insert(let key, let lifetime, let jitter): return insert(key, lifetime, jitter)
        case .invalidate(let key, let jitter): return invalidate(key, jitter)
        case .invalidateOld(let key): return invalidateOld(key)
        case .removeAll: return removeAll()
        case .advance(let span): now = Story.Moment(continuous: now.continuous + span, wall: now.wall + span)
        case .setWallClock(let span): now.wall += span
        }
        return nil
    }
}

// MARK: - Asking

extension Trial {
    private mutating func get(_ key: Int, _ needed: Int) -> String? {
        let expected = stories[key].kept.flatMap { $0.serves(needed, now) ? $0 : nil }
        switch state.lookUp(key, needing: nanoseconds(needed), at: instant) {
        case .fresh(let number):
            guard let expected, expected.number == number, expected.age(now) < expected.freshFor else {
                return "fresh \(number), not \(String(describing: expected))"
            }
            return nil
        case .due(let number):
            guard let expected, expected.number == number, expected.age(now) >= expected.freshFor else {
                return "due \(number), not \(String(describing: expected))"
            }
            return prefetch(key)
        case .miss:
            if let expected { return "a miss, not \(expected)" }
            return wait(key, needed)
        }
    }

    private mutating func wait(_ key: Int, _ needed: Int) -> String? {
        let waiter = state.nextID()
        var outcome = Outcome()
        if current(key) == nil {
            if now.continuous < stories[key].pausedUntil {
                outcome.answers[waiter] = .failure(.unavailable)
            } else if abandoned(key) == Self.maximumAbandoned {
                outcome.answers[waiter] = .failure(.stuck)
            } else {
                outcome.start = reason(key)
            }
        }
        let request = CacheState<Int, Int>.Request(key: key, waiter: waiter, needed: nanoseconds(needed))
        let difference = compare(.request(request), outcome, anyRefusal: true)
        if outcome.answers.isEmpty, let index = current(key) { fetches[index].waiters[waiter] = needed }
        return difference
    }

    private mutating func prefetch(_ key: Int) -> String? {
        var outcome = Outcome()
        let isFresh = stories[key].kept.map { $0.serves(0, now) && $0.age(now) < $0.freshFor } ?? false
        let mayStart = now.continuous >= stories[key].pausedUntil && abandoned(key) < Self.maximumAbandoned
        if !isFresh, current(key) == nil, mayStart {
            let isUsable = stories[key].kept?.serves(0, now) ?? false
            outcome.start = isUsable ? .refreshAhead : reason(key)
        }
        return compare(.refresh(key), outcome)
    }

    private mutating func leave(_ pick: Int) -> String? {
        let waiting = fetches.indices.flatMap { index in fetches[index].waiters.keys.sorted().map { (index, $0) } }
        guard !waiting.isEmpty else { return nil }
        let (index, waiter) = waiting[pick % waiting.count]
        fetches[index].waiters[waiter] = nil
        let outcome = Outcome(answers: [waiter: .failure(.timedOut)])
        return compare(.leave(fetches[index].plan.key, waiter, CacheError(.timedOut)), outcome)
    }

    private func reason(_ key: Int) -> FetchReason {
        guard let kept = stories[key].kept else { return stories[key].awaitsReplacement ? .rejected : .missing }
        return kept.serves(0, now) ? .insufficient : .expired
    }
}

// MARK: - Fetching

extension Trial {
    private mutating func succeed(_ pick: Int, _ lifetime: Int, _ jitter: Int) -> String? {
        guard let fetch = take(pick) else { return nil }
        let key = fetch.plan.key
        let value = Story.Value(
            number: order,
            order: fetch.order,
            began: fetch.began,
            lifetime: lifetime,
            jitter: jitter
        )
        var outcome = Outcome()
        if !fetch.isAbandoned {
            let isUsable = value.serves(0, now)
            let isSuperseded = stories[key].kept.map { $0.order > value.order && $0.serves(0, now) } ?? false
            if isUsable, !isSuperseded { stories[key].facts.append(.kept(value)) }
            for (waiter, needed) in fetch.waiters {
                let isServed = value.serves(needed, now)
                outcome.answers[waiter] = isServed ? .value(value.number) : .failure(.insufficientLifetime)
            }
            let isEnough = isUsable && fetch.waiters.values.allSatisfy { value.serves($0, now) }
            stories[key].facts.append(isEnough ? .succeeded : .failed(now, jitter: jitter, pause: 0))
        }
        let fetched = Fetched(value.number, lifetime: Double(lifetime) / 1_000)
        return compare(.succeed(fetch.plan, fetched), outcome, jitter)
    }

    private mutating func fail(_ pick: Int, _ retryAfter: Int, _ jitter: Int) -> String? {
        guard let fetch = take(pick) else { return nil }
        var outcome = Outcome()
        if !fetch.isAbandoned {
            outcome.answers = fetch.waiters.mapValues { _ in .failure(.unavailable) }
            let pause = min(retryAfter, 3_600_000)
            stories[fetch.plan.key].facts.append(.failed(now, jitter: jitter, pause: pause))
        }
        let retry = FetchRetry.retryable(after: Double(retryAfter) / 1_000)
        return compare(.fail(fetch.plan, TestError.retryable, retry), outcome, jitter)
    }

    private mutating func deny(_ pick: Int, _ jitter: Int) -> String? {
        guard let fetch = take(pick) else { return nil }
        var outcome = Outcome()
        if !fetch.isAbandoned {
            outcome.answers = fetch.waiters.mapValues { _ in .failure(.denied) }
            stories[fetch.plan.key].facts.append(.denied(now, jitter: jitter))
        }
        return compare(.fail(fetch.plan, TestError.permanent, .permanent), outcome, jitter)
    }

    private mutating func giveUp(_ pick: Int, _ jitter: Int) -> String? {
        guard !fetches.isEmpty else { return nil }
        let index = pick % fetches.count
        let plan = fetches[index].plan
        // A timer that fires too late, for a fetch that was given up already, changes nothing.
        guard !fetches[index].isAbandoned else { return compare(.giveUp(plan), Outcome(), jitter) }
        stories[plan.key].facts.append(.failed(now, jitter: jitter, pause: 0))
        return compare(.giveUp(plan), abandon(index, .fetchTimedOut), jitter)
    }

    private mutating func abandon(_ index: Int, _ code: CacheError.Code) -> Outcome {
        let waiters = fetches[index].waiters
        fetches[index].isAbandoned = true
        fetches[index].waiters = [:]
        return Outcome(answers: waiters.mapValues { _ in .failure(code) }, cancellations: [fetches[index].plan.id])
    }

    private mutating func take(_ pick: Int) -> Fetch? {
        fetches.isEmpty ? nil : fetches.remove(at: pick % fetches.count)
    }

    private func current(_ key: Int) -> Int? {
        fetches.firstIndex { $0.plan.key == key && !$0.isAbandoned }
    }

    private func abandoned(_ key: Int) -> Int {
        fetches.count { $0.plan.key == key && $0.isAbandoned }
    }
}

// MARK: - Keeping

extension Trial {
    private mutating func insert(_ key: Int, _ lifetime: Int, _ jitter: Int) -> String? {
        let value = Story.Value(number: order, order: order, began: now, lifetime: lifetime, jitter: jitter)
        if value.serves(0, now) { stories[key].facts += [.kept(value), .succeeded] }
        let fetched = Fetched(value.number, lifetime: Double(lifetime) / 1_000)
        return compare(.insert(key, fetched), Outcome(), jitter)
    }

    private mutating func invalidate(_ key: Int, _ jitter: Int) -> String? {
        guard let kept = stories[key].kept, let version = state.entries[key]?.version else { return nil }
        stories[key].facts.append(.rejected(now, age: kept.age(now), jitter: jitter))
        return compare(.invalidate(key, version: version), Outcome(), jitter)
    }

    private mutating func invalidateOld(_ key: Int) -> String? {
        let version = state.entries[key]?.version ?? 1
        return compare(.invalidate(key, version: version - 1), Outcome())
    }

    private mutating func removeAll() -> String? {
        var outcome = Outcome()
        for index in fetches.indices where !fetches[index].isAbandoned {
            let end = abandon(index, .removed)
            outcome.answers.merge(end.answers) { first, _ in first }
            outcome.cancellations.formUnion(end.cancellations)
        }
        for key in stories.indices { stories[key].facts.append(.emptied) }
        return compare(.removeAll, outcome)
    }
}

// MARK: - Comparing

extension Trial {
    private var instant: Instant {
        Instant(continuous: nanoseconds(now.continuous), wall: nanoseconds(now.wall))
    }

    private func nanoseconds(_ milliseconds: Int) -> Int64 { Int64(milliseconds) * 1_000_000 }

    /// Lets the machine handle an input and compares what it decides.
    private mutating func compare(
        _ input: CacheState<Int, Int>.Input,
        _ expected: Outcome,
        _ jitter: Int = 0,
        anyRefusal: Bool = false
    ) -> String? {
        let effects = state.handle(input, at: instant, jitter: Double(jitter) / 4)
        var outcome = Outcome(start: effects.starts.first?.reason, cancellations: Set(effects.cancellations))
        for (waiter, result) in effects.answers {
            switch result {
            case .success(let number): outcome.answers[waiter] = .value(number)
            case .failure(let error):
                let code = (error as? CacheError)?.code ?? .closed
                outcome.answers[waiter] = .failure(anyRefusal && code != .stuck ? .unavailable : code)
            }
        }
        for plan in effects.starts { fetches.append(Fetch(plan: plan, order: order, began: now)) }
        guard outcome == expected, effects.starts.count <= 1, effects.answers.count == expected.answers.count else {
            return "\(outcome), not \(expected)"
        }
        return nil
    }
}
