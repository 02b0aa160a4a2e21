/// What is remembered of a key's failures.
///
/// While it is closed, nothing is fetched. It goes by the continuous clock alone: no change of the wall clock may let a
/// source be asked too early.
struct Gate: Sendable {
    /// A reason to fetch nothing, and until when it holds.
    struct Bar: Sendable {
        private(set) var until = Int64.min
        private(set) var reason = CacheError(.unavailable)

        /// Never shortens it.
        mutating func extend(by span: Int64, because reason: CacheError, at now: Instant) {
            guard now.continuous &+ span > until else { return }
            until = now.continuous &+ span
            self.reason = reason
        }
    }

    /// What callers got who asked for values that live longer than the source's.
    struct Shortfall: Sendable {
        /// In a row.
        fileprivate(set) var count = 0
        /// How long the source's last value lived when it came.
        fileprivate(set) var lifetime = Int64.max
        /// Until when nothing is fetched for callers who need more.
        fileprivate(set) var bar = Bar()
    }

    /// Failed fetches in a row, other than refusals.
    private(set) var failures = 0
    /// Refused fetches in a row.
    private(set) var denials = 0
    /// Values in a row that were rejected soon after they had been fetched.
    private(set) var rejections = 0
    /// Whether the last value was rejected and none has come since.
    private(set) var awaitsReplacement = false
    /// For the source's sake.
    private(set) var pause = Bar()
    /// For the sake of the user who is signed in: it ends when everything is removed.
    private(set) var denial = Bar()
    /// For the sake of a value that can be used and says how long to pause; without such a value it doesn't count.
    private(set) var refreshPause = Bar()
    /// Denials in a row that were ended soon after one another because everything was removed.
    private(set) var pardons = 0
    private(set) var lastPardon = Int64.min
    private(set) var shortfall = Shortfall()

    /// What callers get while the gate is closed, or closed to those who need a value to live for so many nanoseconds.
    func refusal(needing needed: Int64 = 0, hasValue: Bool, at now: Instant) -> CacheError? {
        guard isOpen(at: now, hasValue: hasValue) else {
            return latest(hasValue).reason.retrying(after: wait(at: now, hasValue: hasValue))
        }
        guard needed > shortfall.lifetime, now.continuous < shortfall.bar.until else { return nil }
        return shortfall.bar.reason.retrying(after: shortfall.bar.until &- now.continuous)
    }

    func isOpen(at now: Instant, hasValue: Bool = true) -> Bool { now.continuous >= latest(hasValue).until }

    /// How long the gate stays closed, in nanoseconds.
    func wait(at now: Instant, hasValue: Bool) -> Int64 {
        isOpen(at: now, hasValue: hasValue) ? 0 : latest(hasValue).until &- now.continuous
    }

    /// Whether there is nothing to remember.
    func isClear(at now: Instant) -> Bool {
        failures == 0 && denials == 0 && rejections == 0 && pardons == 0 && shortfall.count == 0 && isOpen(at: now)
    }

    private func latest(_ hasValue: Bool) -> Bar {
        let latest = denial.until > pause.until ? denial : pause
        return hasValue && refreshPause.until > latest.until ? refreshPause : latest
    }

    /// A fetch failed, or brought a value of no use.
    mutating func noteFailure(
        _ reason: CacheError,
        _ retry: FetchRetry,
        jitter: Double,
        rules: CacheRules,
        at now: Instant
    ) {
        switch retry {
        case .retryable:
            failures += 1
            let backoff = rules.backoff(failures: failures, jitter: jitter)
            pause.extend(by: rules.pause(backoff: backoff, retry), because: reason, at: now)
        case .permanent:
            denials += 1
            let backoff = rules.backoff(failures: denials, jitter: jitter)
            deny(for: backoff + rules.denialLifetime, because: reason, jitter: jitter, rules: rules, at: now)
        }
    }

    /// A fetch failed while there is a value that says how long to pause then.
    ///
    /// It doesn't count as a failure in a row: without the value, backoff begins at its beginning.
    mutating func noteFailedRefresh(
        _ reason: CacheError,
        _ retry: FetchRetry,
        _ interval: Int64,
        jitter: Double,
        rules: CacheRules,
        at now: Instant
    ) {
        let asked = rules.retryAfter(retry)
        if asked > 0 { pause.extend(by: asked, because: reason, at: now) }
        refreshPause.extend(by: interval + rules.backoff(failures: 1, jitter: jitter), because: reason, at: now)
    }

    /// A value came.
    ///
    /// If the gate was closed meanwhile, it stays so for the next fetch.
    ///
    /// - Parameter needed: How long those who waited for it needed it to live, in nanoseconds; it lives so long.
    mutating func noteSuccess(meeting needed: Int64) {
        failures = 0
        denials = 0
        awaitsReplacement = false
        if needed > shortfall.lifetime { shortfall = Shortfall() }
    }

    /// A value came that lives too short a time for some who waited for it.
    ///
    /// To ask again at once for them would bring no more. Others go on as if there were no such callers.
    mutating func noteShortfall(
        _ reason: CacheError,
        lifetime: Int64,
        jitter: Double,
        rules: CacheRules,
        at now: Instant
    ) {
        shortfall.count += 1
        shortfall.lifetime = lifetime
        shortfall.bar.extend(by: rules.backoff(failures: shortfall.count, jitter: jitter), because: reason, at: now)
    }

    /// The value was rejected at this age.
    ///
    /// A first time it is replaced at once, but new ones that fare no better wait.
    mutating func noteRejection(age: Int64, jitter: Double, rules: CacheRules, at now: Instant) {
        awaitsReplacement = true
        rejections = age < rules.longestBackoff ? rejections + 1 : 1
        guard rejections > 1 else { return }
        let backoff = rules.backoff(failures: rejections - 1, jitter: jitter)
        deny(for: backoff, because: CacheError(.rejected), jitter: jitter, rules: rules, at: now)
    }

    /// Everything was removed: denials were meant for another user, but pauses are for the source's sake and stay.
    mutating func noteRemoval(rules: CacheRules, at now: Instant) {
        if denial.until > now.continuous {
            pardons = pardons > 0 && now.continuous &- lastPardon < rules.longestBackoff ? pardons + 1 : 1
            lastPardon = now.continuous
        }
        denial = Bar()
        denials = 0
        awaitsReplacement = false
    }

    /// Closes the gate until it has passed or everything is removed.
    ///
    /// Removing everything helps twice in a row. Then each denial leaves a pause, which grows, or removing everything
    /// after each would be a way to ask without end.
    private mutating func deny(
        for span: Int64,
        because reason: CacheError,
        jitter: Double,
        rules: CacheRules,
        at now: Instant
    ) {
        denial.extend(by: span, because: reason, at: now)
        guard pardons > 1 else { return }
        pause.extend(by: rules.backoff(failures: pardons - 1, jitter: jitter), because: reason, at: now)
    }
}
