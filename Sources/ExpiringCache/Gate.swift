import Timing

/// When an input is handled, the random number drawn for it, and the rules.
struct Moment: Sendable {
    let now: Instant
    /// A number between 0 and 1.
    let jitter: Double
    let rules: CacheRules

    func backoff(after failures: Int) -> Int64 { rules.backoff(failures: failures, jitter: jitter) }
}

/// The failure history of a key.
///
/// While the gate is closed, no fetch starts. It uses the continuous clock alone: a change of the wall clock must not
/// let a fetch start too early.
struct Gate: Sendable {
    /// A reason not to fetch, and when it ends.
    struct Bar: Sendable {
        private(set) var until = Int64.min
        private(set) var reason = CacheError(.unavailable)

        /// Extends the bar; it is never shortened.
        mutating func extend(by span: Int64, because reason: CacheError, at moment: Moment) {
            guard moment.now.continuous &+ span > until else { return }
            until = moment.now.continuous &+ span
            self.reason = reason
        }
    }

    /// The record of callers that required a longer lifetime than the source provides.
    struct Shortfall: Sendable {
        /// The consecutive number of such values.
        fileprivate(set) var count = 0
        /// The lifetime of the source's last value when it arrived.
        fileprivate(set) var lifetime = Int64.max
        /// Until when no fetch starts for callers that require more.
        fileprivate(set) var bar = Bar()
    }

    /// Consecutive failed fetches, other than denials.
    private(set) var failures = 0
    /// Consecutive denied fetches.
    private(set) var denials = 0
    /// Consecutive values that were rejected soon after they were fetched.
    private(set) var rejections = 0
    /// Whether the last value was rejected and none has arrived since.
    private(set) var awaitsReplacement = false
    /// The pause that protects the source.
    private(set) var pause = Bar()
    /// The denial of the user who is signed in: it ends when all values are removed.
    private(set) var denial = Bar()
    /// The pause that a usable value specifies; without such a value it doesn't count.
    private(set) var refreshPause = Bar()
    /// Denials that ended because all values were removed, since the last value arrived.
    private(set) var denialResets = 0
    private(set) var shortfall = Shortfall()

    /// Returns the error for callers while the gate is closed, or closed to those that require this remaining lifetime
    /// in nanoseconds.
    func refusal(needing needed: Int64 = 0, hasValue: Bool, at now: Instant) -> CacheError? {
        guard isOpen(at: now, hasValue: hasValue) else {
            return latest(hasValue).reason.retrying(after: wait(at: now, hasValue: hasValue))
        }
        guard needed > shortfall.lifetime, now.continuous < shortfall.bar.until else { return nil }
        return shortfall.bar.reason.retrying(after: shortfall.bar.until &- now.continuous)
    }

    func isOpen(at now: Instant, hasValue: Bool = true) -> Bool { now.continuous >= latest(hasValue).until }

    /// Returns how long the gate stays closed, in nanoseconds.
    func wait(at now: Instant, hasValue: Bool) -> Int64 {
        isOpen(at: now, hasValue: hasValue) ? 0 : latest(hasValue).until &- now.continuous
    }

    /// Returns whether the gate has no history to keep.
    func isClear(at now: Instant) -> Bool {
        failures == 0 && denials == 0 && rejections == 0 && denialResets == 0 && shortfall.count == 0 && isOpen(at: now)
    }

    private func latest(_ hasValue: Bool) -> Bar {
        let latest = denial.until > pause.until ? denial : pause
        return hasValue && refreshPause.until > latest.until ? refreshPause : latest
    }

    /// Records a fetch that failed, or returned an unusable value.
    ///
    /// A failure for which the cached value specifies the pause, `interval`, doesn't count as a consecutive one: without the
    /// value, backoff starts from the beginning.
    mutating func noteFailure(_ reason: CacheError, _ retry: FetchRetry, interval: Int64?, at moment: Moment) {
        guard retry != .permanent else {
            denials += 1
            return deny(for: moment.backoff(after: denials) + moment.rules.denialLifetime, because: reason, at: moment)
        }
        if let interval {
            let asked = moment.rules.retryAfter(retry)
            if asked > 0 { pause.extend(by: asked, because: reason, at: moment) }
            return refreshPause.extend(by: interval + moment.backoff(after: 1), because: reason, at: moment)
        }
        failures += 1
        let backoff = moment.backoff(after: failures)
        pause.extend(by: moment.rules.pause(backoff: backoff, retry), because: reason, at: moment)
    }

    /// Records that a value arrived.
    ///
    /// If the gate was closed meanwhile, it stays closed for the next fetch.
    ///
    /// - Parameter needed: The remaining lifetime that its waiters required and that it has, in nanoseconds.
    mutating func noteSuccess(meeting needed: Int64) {
        failures = 0
        denials = 0
        denialResets = 0
        awaitsReplacement = false
        if needed > shortfall.lifetime { shortfall = Shortfall() }
    }

    /// Records that a value doesn't meet the required lifetime of some of its waiters.
    ///
    /// An immediate retry for them would return no better value. Other callers are not affected.
    mutating func noteShortfall(_ reason: CacheError, lifetime: Int64, at moment: Moment) {
        shortfall.count += 1
        shortfall.lifetime = lifetime
        shortfall.bar.extend(by: moment.backoff(after: shortfall.count), because: reason, at: moment)
    }

    /// Records that the value was rejected at this age.
    ///
    /// A first rejected value is replaced immediately; if new values are rejected as well, fetching pauses.
    mutating func noteRejection(age: Int64, at moment: Moment) {
        awaitsReplacement = true
        rejections = age < moment.rules.longestBackoff ? rejections + 1 : 1
        guard rejections > 1 else { return }
        deny(for: moment.backoff(after: rejections - 1), because: CacheError(.rejected), at: moment)
    }

    /// Records that all values were removed: denials concern another user and end, but pauses protect the source and
    /// stay.
    mutating func noteRemoval(at now: Instant) {
        if denial.until > now.continuous { denialResets += 1 }
        denial = Bar()
        denials = 0
        awaitsReplacement = false
    }

    /// Closes the gate until the time has passed or all values are removed.
    ///
    /// Removing all values ends a denial twice in a row. After that each denial leaves a growing pause, or removing all
    /// values after each denial would allow unlimited requests.
    private mutating func deny(for span: Int64, because reason: CacheError, at moment: Moment) {
        denial.extend(by: span, because: reason, at: moment)
        guard denialResets > 1 else { return }
        pause.extend(by: moment.backoff(after: denialResets - 1), because: reason, at: moment)
    }
}
