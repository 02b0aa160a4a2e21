import Timing

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
        var isRepeat = false
        var isAbandoned = false
        /// Until when it counts against the bound, once it is abandoned.
        var countsUntil = Int.min
    }

    private static let maximumAbandoned = 2

    private var state: CacheState<Int, Int>
    private var stories: [Story]
    private var fetches: [Fetch] = []
    private var now = Story.Moment(continuous: 0, wall: 1_000_000_000)
    private var order = 0
    /// Those who wait for the fetch that is about to start, since the one before was no fault of its source's.
    private var carried: [WaiterID: Int] = [:]

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
        case .fresh(let entry):
            guard let expected, expected.number == entry.value, expected.age(now) < expected.freshFor else {
                return "fresh \(entry.value), not \(String(describing: expected))"
            }
            return nil
        case .due(let entry):
            guard let expected, expected.number == entry.value, expected.age(now) >= expected.freshFor else {
                return "due \(entry.value), not \(String(describing: expected))"
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
        renewIfOverslept(key, &outcome)
        if current(key) == nil, outcome.start == nil {
            if let refusal = refusal(key, needing: needed) {
                outcome.answers[waiter] = .failure(refusal)
            } else {
                outcome.start = reason(key)
            }
        }
        let request = CacheState<Int, Int>.Request(key: key, waiter: waiter, needed: nanoseconds(needed))
        let difference = compare(.request(request), outcome, anyRefusal: true)
        if outcome.answers[waiter] == nil, let index = current(key) { fetches[index].waiters[waiter] = needed }
        return difference
    }

    private mutating func prefetch(_ key: Int) -> String? {
        var outcome = Outcome()
        renewIfOverslept(key, &outcome)
        let isFresh = stories[key].kept.map { $0.serves(0, now) && $0.age(now) < $0.freshFor } ?? false
        if !isFresh, current(key) == nil, outcome.start == nil, refusal(key) == nil {
            let isUsable = stories[key].kept?.serves(0, now) ?? false
            outcome.start = isUsable ? .refreshAhead : reason(key)
        }
        return compare(.refresh(key), outcome, anyRefusal: true)
    }

    private mutating func leave(_ pick: Int) -> String? {
        let waiting = fetches.indices.flatMap { index in fetches[index].waiters.keys.sorted().map { (index, $0) } }
        guard !waiting.isEmpty else { return nil }
        let (index, waiter) = waiting[pick % waiting.count]
        fetches[index].waiters[waiter] = nil
        let outcome = Outcome(answers: [waiter: .failure(.timedOut)])
        return compare(.leave(fetches[index].plan.key, waiter, CacheError(.timedOut)), outcome)
    }

    /// Why nothing may be fetched now; one code stands for all but one of the reasons.
    private func refusal(_ key: Int, needing needed: Int = 0) -> CacheError.Code? {
        if stories[key].isClosed(needing: needed, now) { return .unavailable }
        return abandoned(key) >= Self.maximumAbandoned ? .stuck : nil
    }

    private mutating func renewIfOverslept(_ key: Int, _ outcome: inout Outcome) {
        guard let index = current(key), now.since(fetches[index].began) > Story.longestFetch else { return }
        outcome.cancellations.insert(fetches[index].plan.id)
        startOver(abandon(index), &outcome)
    }

    /// Starts another fetch for those who waited, since its source had no part in the failure of this one.
    private mutating func startOver(_ fetch: Fetch, _ outcome: inout Outcome) {
        let key = fetch.plan.key
        if let refusal = refusal(key) {
            for waiter in fetch.waiters.keys { outcome.answers[waiter] = .failure(refusal) }
        } else if !fetch.waiters.isEmpty {
            outcome.start = reason(key)
            carried = fetch.waiters
        }
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
        let value = Story.Value(
            number: order,
            order: fetch.order,
            began: fetch.began,
            lifetime: lifetime,
            jitter: jitter
        )
        var outcome = Outcome()
        if !fetch.isAbandoned {
            if value.serves(0, now) {
                take(value, for: fetch, jitter, &outcome)
            } else {
                let mayRepeat = value.usableFor > 0 && !fetch.isRepeat && !fetch.waiters.isEmpty
                let failure = Story.Fact.failed(now, jitter: jitter, pause: 0)
                end(fetch, .alreadyExpired, failure, mayRepeat: mayRepeat, &outcome)
            }
        }
        let fetched = Fetched(value.number, lifetime: Double(lifetime) / 1_000)
        return compare(.succeed(fetch.plan, fetched), outcome, jitter, anyRefusal: isAnyRefusal(outcome))
    }

    /// A value is kept, and given to those for whom it lives long enough.
    private mutating func take(_ value: Story.Value, for fetch: Fetch, _ jitter: Int, _ outcome: inout Outcome) {
        let key = fetch.plan.key
        let isSuperseded = stories[key].kept.map { $0.order > value.order && $0.serves(0, now) } ?? false
        if !isSuperseded { stories[key].facts.append(.kept(value)) }
        let met = fetch.waiters.filter { value.serves($0.value, now) }
        for waiter in met.keys { outcome.answers[waiter] = .value(value.number) }
        stories[key].facts.append(.succeeded(meeting: met.values.max() ?? 0))
        let unmet = fetch.waiters.filter { met[$0.key] == nil }
        guard !unmet.isEmpty else { return }
        if now.since(fetch.began) > Story.longestFetch, refusal(key) == nil {
            outcome.start = .insufficient
            carried = unmet
            return
        }
        for waiter in unmet.keys { outcome.answers[waiter] = .failure(.insufficientLifetime) }
        stories[key].facts.append(.short(now, lifetime: value.lifetime - value.age(now), jitter: jitter))
    }

    /// A fetch failed; those who wait are told so, unless its source had no part in it.
    private mutating func end(
        _ fetch: Fetch,
        _ code: CacheError.Code,
        _ fact: Story.Fact,
        isPlain: Bool = true,
        mayRepeat: Bool = false,
        _ outcome: inout Outcome
    ) {
        if mayRepeat || isPlain && now.since(fetch.began) > Story.longestFetch { return startOver(fetch, &outcome) }
        stories[fetch.plan.key].facts.append(fact)
        for waiter in fetch.waiters.keys { outcome.answers[waiter] = .failure(code) }
    }

    private func isAnyRefusal(_ outcome: Outcome) -> Bool {
        outcome.answers.values.contains(.failure(.unavailable))
    }

    private mutating func fail(_ pick: Int, _ retryAfter: Int, _ jitter: Int) -> String? {
        guard let fetch = take(pick) else { return nil }
        var outcome = Outcome()
        if !fetch.isAbandoned {
            let failure = Story.Fact.failed(now, jitter: jitter, pause: min(retryAfter, 3_600_000))
            end(fetch, .unavailable, failure, isPlain: retryAfter == 0, &outcome)
        }
        let retry = FetchRetry.retryable(after: retryAfter == 0 ? nil : Double(retryAfter) / 1_000)
        let input = CacheState<Int, Int>.Input.fail(fetch.plan, TestError.retryable, retry)
        return compare(input, outcome, jitter, anyRefusal: isAnyRefusal(outcome))
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
        var outcome = Outcome(cancellations: [plan.id])
        end(abandon(index), .fetchTimedOut, .failed(now, jitter: jitter, pause: 0), &outcome)
        return compare(.giveUp(plan), outcome, jitter, anyRefusal: isAnyRefusal(outcome))
    }

    /// Gives a fetch up.
    ///
    /// - Returns: What it was.
    private mutating func abandon(_ index: Int) -> Fetch {
        let fetch = fetches[index]
        fetches[index].isAbandoned = true
        fetches[index].countsUntil = now.continuous + Story.abandonment
        fetches[index].waiters = [:]
        return fetch
    }

    private mutating func take(_ pick: Int) -> Fetch? {
        fetches.isEmpty ? nil : fetches.remove(at: pick % fetches.count)
    }

    private func current(_ key: Int) -> Int? {
        fetches.firstIndex { $0.plan.key == key && !$0.isAbandoned }
    }

    private func abandoned(_ key: Int) -> Int {
        fetches.count { $0.plan.key == key && $0.isAbandoned && now.continuous < $0.countsUntil }
    }
}

// MARK: - Keeping

extension Trial {
    private mutating func insert(_ key: Int, _ lifetime: Int, _ jitter: Int) -> String? {
        let value = Story.Value(number: order, order: order, began: now, lifetime: lifetime, jitter: jitter)
        if value.serves(0, now) { stories[key].facts += [.kept(value), .succeeded(meeting: 0)] }
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
            let fetch = abandon(index)
            for waiter in fetch.waiters.keys { outcome.answers[waiter] = .failure(.removed) }
            outcome.cancellations.insert(fetch.plan.id)
        }
        for index in fetches.indices { fetches[index].countsUntil = .min }
        for key in stories.indices { stories[key].facts.append(.emptied(now)) }
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
            case .success(let entry): outcome.answers[waiter] = .value(entry.value)
            case .failure(let error):
                let code = (error as? CacheError)?.code ?? .closed
                outcome.answers[waiter] = .failure(anyRefusal && code != .stuck ? .unavailable : code)
            }
        }
        for plan in effects.starts {
            let isRepeat = !carried.isEmpty
            fetches.append(Fetch(plan: plan, order: order, began: now, waiters: carried, isRepeat: isRepeat))
        }
        carried = [:]
        guard outcome == expected, effects.starts.count <= 1, effects.answers.count == expected.answers.count else {
            return "\(outcome), not \(expected)"
        }
        return nil
    }
}
