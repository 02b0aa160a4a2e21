/// What is remembered of a key's failures.
///
/// While it is closed, nothing is fetched. It goes by the continuous clock alone: no change of the wall clock may let a source be asked too early.
struct Gate: Sendable {
    /// Failed fetches in a row.
    private(set) var failures = 0
    /// Values in a row that were rejected soon after they had been fetched.
    private(set) var rejections = 0
    /// Whether the last value was rejected and none has come since.
    private(set) var awaitsReplacement = false
    private var opensAt = Int64.min
    /// The part of the pause that is due to a denial.
    private var denial: Int64 = 0
    private var reason = CacheError(.unavailable)

    /// What callers get while the gate is closed.
    func refusal(at now: Instant) -> CacheError? {
        guard !isOpen(at: now) else { return nil }
        return CacheError(reason.code, retryAfter: (opensAt - now.continuous).seconds, underlying: reason.underlying)
    }

    func isOpen(at now: Instant) -> Bool { now.continuous >= opensAt }

    /// Whether there is nothing to remember.
    func isClear(at now: Instant) -> Bool { failures == 0 && rejections == 0 && isOpen(at: now) }

    /// A fetch failed, or brought less than was needed.
    mutating func noteFailure(
        _ reason: CacheError,
        retry: FetchRetry,
        jitter: Double,
        rules: CacheRules,
        at now: Instant
    ) {
        failures += 1
        let backoff = rules.backoff(failures: failures, jitter: jitter)
        let denial = retry == .permanent ? rules.denialLifetime : 0
        close(for: backoff + rules.retryAfter(retry) + denial, denial: denial, because: reason, at: now)
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
        close(for: backoff, because: CacheError(.rejected), at: now)
    }

    /// Takes a denial back, since it was meant for somebody else.
    ///
    /// The rest of the pause stays.
    mutating func forgetDenial() {
        opensAt -= denial
        denial = 0
    }

    /// Never opens the gate sooner than it would have.
    private mutating func close(for pause: Int64, denial: Int64 = 0, because reason: CacheError, at now: Instant) {
        let end = now.continuous &+ pause
        guard end > opensAt else { return }
        opensAt = end
        self.denial = denial
        self.reason = reason
    }
}
