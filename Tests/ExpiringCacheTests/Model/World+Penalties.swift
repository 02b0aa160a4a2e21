import Timing

@testable import ExpiringCache

extension World {
    /// Whether the key's source may be asked again.
    func mayStart(_ key: Int) -> Bool {
        !isSourcePaused && (!remembersFailures || !isPaused(key))
    }

    func isPaused(_ key: Int) -> Bool {
        now.continuous < max(penalties[key].pausedUntil, penalties[key].deniedUntil)
    }

    /// Whether a caller who needs a value to live for so long must be told that the source's don't.
    func isShort(_ key: Int, needing needed: Int64) -> Bool {
        needed > penalties[key].longest && now.continuous < penalties[key].shortUntil
    }

    /// Whether no key may be asked for.
    var isSourcePaused: Bool { now.continuous < sourcePenalty.pausedUntil }

    /// Whether a failure of this fetch says that the source has not recovered from its last.
    func isProbe(_ fetch: Fetch) -> Bool {
        sourcePenalty.limit != nil && now.continuous < sourcePenalty.recovered
            && fetch.sourceFailures == sourcePenalty.total
    }

    /// Whether a failure with an error says that the source itself has failed.
    mutating func concernsAll(_ error: TestError, of fetch: Fetch) -> Bool {
        let key = fetch.plan.key
        let isIsolated = sourcePenalty.isolated.contains(key)
        let isNew = !sourcePenalty.suspects.contains(key)
        let isLimited = isNew && sourcePenalty.limitedKey.map { $0 != key } ?? false
        if error == .overloaded || error == .limited {
            sourcePenalty.suspects.insert(key)
            sourcePenalty.isolated.remove(key)
        }
        if error == .limited { sourcePenalty.limitedKey = key }
        guard !isIsolated else { return false }
        return switch error {
        case .overloaded: true
        case .limited: isLimited
        case .permanent, .local: false
        case .retryable: age(since: fetch.origin) <= Self.longestFetch && isProbe(fetch)
        case .retryableAfter: isProbe(fetch)
        }
    }

    /// A key's fetch succeeded: whatever keeps others from that is not the source's.
    mutating func noteSourceSuccess(_ key: Int) {
        sourcePenalty.suspects.remove(key)
        sourcePenalty.isolated = sourcePenalty.suspects
        sourcePenalty.limitedKey = nil
    }

    mutating func noteSourceFailure(of fetch: Fetch, retryAfter: Int64) {
        if sourcePenalty.limit == nil || now.continuous >= sourcePenalty.recovered { sourcePenalty.consecutive = 0 }
        if fetch.sourceFailures == sourcePenalty.total { sourcePenalty.consecutive += 1 }
        sourcePenalty.total += 1
        sourcePenalty.limit = 1
        let pause = Self.shortestPause(after: sourcePenalty.consecutive) + retryAfter
        sourcePenalty.pausedUntil = max(sourcePenalty.pausedUntil, now.continuous + pause)
        sourcePenalty.recovered = sourcePenalty.pausedUntil + Self.backoff.longest
    }

    /// The source responded to a fetch.
    mutating func noteResponse(to fetch: Fetch) {
        guard let limit = sourcePenalty.limit, fetch.sourceFailures == sourcePenalty.total else { return }
        sourcePenalty.limit = limit + 1 < SourceGate<Int>.fullWindow ? limit + 1 : nil
    }

    mutating func noteFailure(_ key: Int, retryAfter: Int64 = 0) {
        penalties[key].failures += 1
        penalize(key, for: Self.shortestPause(after: penalties[key].failures) + retryAfter)
    }

    mutating func noteDenial(_ key: Int) {
        penalties[key].denials += 1
        deny(key, for: Self.shortestPause(after: penalties[key].denials) + Self.denial)
    }

    /// A value came, which lives long enough for those who need it to live so long.
    mutating func noteSuccess(_ key: Int, meeting needed: Int64 = 0) {
        penalties[key].failures = 0
        penalties[key].denials = 0
        penalties[key].denialResets = 0
        guard needed > penalties[key].longest else { return }
        penalties[key].shortfalls = 0
        penalties[key].longest = .max
        penalties[key].shortUntil = .min
    }

    mutating func noteShortfall(_ key: Int, lifetime: Int64) {
        penalties[key].shortfalls += 1
        penalties[key].longest = lifetime
        let until = now.continuous + Self.shortestPause(after: penalties[key].shortfalls)
        penalties[key].shortUntil = max(penalties[key].shortUntil, until)
    }

    mutating func noteRemoval(_ key: Int) {
        if now.continuous < penalties[key].deniedUntil { penalties[key].denialResets += 1 }
        penalties[key].deniedUntil = .min
        penalties[key].denials = 0
    }

    mutating func noteRejection(_ key: Int, age: Int64) {
        penalties[key].rejections = age < Self.backoff.longest ? penalties[key].rejections + 1 : 1
        guard penalties[key].rejections > 1 else { return }
        deny(key, for: Self.shortestPause(after: penalties[key].rejections - 1))
    }

    private mutating func deny(_ key: Int, for span: Int64) {
        penalties[key].deniedUntil = max(penalties[key].deniedUntil, now.continuous + span)
        guard penalties[key].denialResets > 1 else { return }
        penalize(key, for: Self.shortestPause(after: penalties[key].denialResets - 1))
    }

    private mutating func penalize(_ key: Int, for pause: Int64) {
        penalties[key].pausedUntil = max(penalties[key].pausedUntil, now.continuous + pause)
    }

    /// With the smallest jitter, half a step: 1, 2, 4, 4, 4 … seconds.
    private static func shortestPause(after failures: Int) -> Int64 {
        var step = backoff.first
        for _ in 1..<max(failures, 1) { step = min(step * 2, backoff.longest) }
        return step / 2
    }
}
