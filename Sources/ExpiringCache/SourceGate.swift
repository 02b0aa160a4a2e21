import Timing

/// The pause of all keys after the source itself failed: it is overloaded, or refuses connections.
///
/// While the pause lasts, no fetch starts. Then the source recovers: a single fetch probes it while the others stay queued,
/// and each response allows one more concurrent fetch, so their number doubles with each round. The recovery ends with
/// ``fullWindow`` fetches, or when it has lasted as long as the longest backoff.
///
/// A failure of one key is not the source's if fetches of other keys succeed: otherwise one key whose fetches always fail
/// would starve the others.
struct SourceGate<Key: Hashable & Sendable>: Sendable {
    /// The number of concurrent fetches at which the source has recovered.
    static var fullWindow: Int { 32 }

    /// Consecutive failures; those of fetches that ran at the same time count once.
    private(set) var failures = 0
    private(set) var pause = Gate.Bar()
    /// How many of the fetches after the pause may run at once; nil for no limit.
    private(set) var window: Int?
    /// Fetches with an ID up to this one began before the pause.
    private(set) var fence: FlightID = 0
    /// The end of the recovery.
    private var recovered = Int64.min
    /// The number of successes and of failures that may be the source's.
    private var count = 0
    private var lastSuccess = 0
    /// The last such failure of each key that has not succeeded since.
    private var failing: [Key: Int] = [:]
    /// The last fetch that failed because the source limits the rate of requests.
    private var limited: (key: Key, count: Int)?

    /// Returns the error for callers during the pause; nil if fetches may start.
    func refusal(at now: Instant) -> CacheError? {
        now.continuous < pause.until ? pause.reason.retrying(after: pause.until &- now.continuous) : nil
    }

    /// Returns whether one more fetch may run beside those that run.
    func allowsFetch(beside running: some Sequence<FlightID>, at now: Instant) -> Bool {
        guard let window, now.continuous < recovered else { return true }
        return running.reduce(0) { $1 > fence ? $0 + 1 : $0 } < window
    }

    /// Returns whether a failed fetch says something about the source, so that all keys pause.
    mutating func concernsAll(_ extent: FailureExtent, of key: Key, _ id: FlightID, at now: Instant) -> Bool {
        let isIsolated = isIsolated(key)
        // A key that was limited before says nothing new: otherwise two such keys would starve the others.
        let isLimited = failing[key] == nil && isLimited(besides: key)
        if extent == .source || extent == .limit {
            count += 1
            // Keys that never succeed are few; without their numbers, each of them pauses all keys once more.
            if failing.count >= 256 { failing = [:] }
            failing[key] = count
            if extent == .limit { limited = (key, count) }
        }
        guard !isIsolated else { return false }
        return switch extent {
        case .source: true
        case .limit: isLimited
        // Of a fetch that began since the pause, it says that the source hasn't recovered.
        case .undetermined: window != nil && now.continuous < recovered && id > fence
        case .key, .none: false
        }
    }

    /// Returns whether a key failed, and other keys have succeeded since, but not this one.
    func isIsolated(_ key: Key) -> Bool { failing[key].map { $0 < lastSuccess } ?? false }

    /// Returns whether the last limited fetch was of another key, and none has succeeded since.
    func isLimited(besides key: Key) -> Bool { limited.map { $0.key != key && $0.count > lastSuccess } ?? false }

    /// Records that a fetch returned a value.
    mutating func noteSuccess(of key: Key) {
        count += 1
        lastSuccess = count
        failing[key] = nil
    }

    /// Records that the source failed, with the fetch that did and the latest ID of any fetch.
    mutating func noteFailure(
        _ reason: CacheError,
        _ retry: FetchRetry,
        of id: FlightID,
        latest: FlightID,
        at moment: Moment
    ) {
        if window == nil || moment.now.continuous >= recovered { failures = 0 }
        if id > fence { failures += 1 }
        let backoff = moment.backoff(after: failures)
        pause.extend(by: moment.rules.pause(backoff: backoff, retry), because: reason, at: moment)
        fence = latest
        window = 1
        recovered = pause.until &+ moment.rules.longestBackoff
    }

    /// Records that the source responded to a fetch, with a value or with a denial of its key.
    mutating func noteResponse(to id: FlightID) {
        guard let size = window, id > fence else { return }
        window = size + 1 < Self.fullWindow ? size + 1 : nil
    }
}
