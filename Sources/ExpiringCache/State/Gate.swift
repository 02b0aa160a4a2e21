/// What is remembered of a key's failures.
///
/// While it is closed, nothing is fetched. It goes by the continuous clock alone: no change of the wall clock may let a
/// source be asked too early.
struct Gate: Sendable {
    /// Failed fetches in a row.
    private(set) var failures = 0
    /// Values in a row that were rejected soon after they had been fetched.
    private(set) var rejections = 0
    /// Whether the last value was rejected and none has come since.
    private(set) var awaitsReplacement = false
    private(set) var pausedUntil = Int64.min
    private(set) var deniedUntil = Int64.min
    private(set) var reason = CacheError(.unavailable)

    /// What callers get while the gate is closed.
    func refusal(at now: Instant) -> CacheError? {
        isOpen(at: now) ? nil : reason.retrying(after: pause(at: now))
    }

    func isOpen(at now: Instant) -> Bool { now.continuous >= max(pausedUntil, deniedUntil) }

    /// How long the gate stays closed, in nanoseconds.
    func pause(at now: Instant) -> Int64 {
        isOpen(at: now) ? 0 : max(pausedUntil, deniedUntil) &- now.continuous
    }

    /// Whether there is nothing to remember.
    func isClear(at now: Instant) -> Bool { failures == 0 && rejections == 0 && isOpen(at: now) }

    /// A fetch failed, or brought less than was needed.
    mutating func noteFailure(
        _ reason: CacheError,
        _ retry: FetchRetry,
        jitter: Double,
        rules: CacheRules,
        at now: Instant
    ) {
        failures += 1
        let backoff = rules.backoff(failures: failures, jitter: jitter)
        pause(for: backoff + rules.retryAfter(retry), because: reason, at: now)
        guard retry == .permanent else { return }
        deniedUntil = now.continuous &+ backoff &+ rules.denialLifetime
        self.reason = reason
    }

    /// A value came.
    ///
    /// If the gate was closed meanwhile, it stays so for the next fetch.
    mutating func noteSuccess() {
        failures = 0
        awaitsReplacement = false
    }

    /// The value was rejected at this age.
    ///
    /// A first time it is replaced at once, but new ones that fare no better wait.
    mutating func noteRejection(age: Int64, jitter: Double, rules: CacheRules, at now: Instant) {
        awaitsReplacement = true
        rejections = age < rules.longestBackoff ? rejections + 1 : 1
        guard rejections > 1 else { return }
        let backoff = rules.backoff(failures: rejections - 1, jitter: jitter)
        pause(for: backoff, because: CacheError(.rejected), at: now)
    }

    /// Everything was removed: denials were meant for somebody else, but pauses are for the source's sake and stay.
    mutating func noteRemoval() {
        deniedUntil = .min
        awaitsReplacement = false
    }

    /// Never shortens a pause.
    private mutating func pause(for span: Int64, because reason: CacheError, at now: Instant) {
        guard now.continuous &+ span > pausedUntil else { return }
        pausedUntil = now.continuous &+ span
        self.reason = reason
    }
}
