import FleetToken
import JOSE
import Logging
import ServiceSupport
import Synchronization

/// An issuer's current keys, fetched on demand and cached.
///
/// They are fetched again when they are old and, at a bounded rate, when a token names an unknown key: an issuer may sign with
/// a key that it has just published. If that fails, the last good keys are used until they reach their maximum age.
final class IssuerKeys: Sendable {
    /// The source of the keys.
    let plan: KeySetPlan
    private let keys: Refreshing<IssuerKeySet, KeySetFetchError>
    private let fetches: FetchRecord

    init(plan: KeySetPlan, fetching: KeySetFetching) {
        self.plan = plan
        let fetches = FetchRecord()
        self.fetches = fetches
        keys = Refreshing(KeySetPlan.policy, clock: fetching.clock) { () async throws(KeySetFetchError) in
            let keys = try await fetching.recordedKeys(of: plan)
            fetches.add(keys.unusableKeys, of: plan, fetching)
            return Fresh(keys, lifetime: KeySetPlan.maxStale, refreshAfter: KeySetPlan.refresh)
        }
    }

    /// Whether there are valid keys.
    var areCached: Bool { keys.current != nil }
    /// When they were last fetched; nil if they never were.
    var lastFetch: NumericDate? { fetches.lastTime }
    /// How many requests wait for the keys.
    var waiting: Int { keys.waiting }

    /// Forgets the keys: their file has changed.
    func remove() { keys.remove() }

    /// Returns the keys.
    ///
    /// - Throws: ``AuthenticationFailure`` with code `keysUnavailable` when there are none that can be trusted, or too
    ///   many requests wait for them already.
    func current() async throws(AuthenticationFailure) -> IssuerKeySet { try await fetched(youngerThan: nil) }

    /// Returns the key that a token names, or the only one that can have signed it.
    ///
    /// - Throws: ``AuthenticationFailure`` with code `unknownKey` if the issuer has no such key or cannot be asked again,
    ///   `refetchDue` if it must not be asked again yet or too many requests wait for it, and `keysUnavailable` as for
    ///   ``current()`` or if the current task is cancelled.
    func key(of token: CallerToken) async throws(AuthenticationFailure) -> JWK {
        let wereCached = areCached
        if let key = try await current()[token] { return key }
        let unknown = AuthenticationFailure(.unknownKey, advice: token.keyID == nil ? .noKeyID : nil)
        // Keys that were fetched for this token are new enough.
        guard wereCached else { throw unknown }
        let wereYoung = keys.current.map { $0.age < KeySetPlan.refetchInterval } ?? false
        if let key = try await refetched()[token] { return key }
        // The issuer may have published the key since. A file is read again when it changes.
        throw wereYoung && plan.isRemote ? .init(.refetchDue) : unknown
    }

    /// Returns the keys, which are fetched again unless they are young.
    ///
    /// An issuer that cannot be asked again costs a 401: only keys that are missing altogether are an outage. Otherwise
    /// forged tokens would count as errors of the service.
    private func refetched() async throws(AuthenticationFailure) -> IssuerKeySet {
        do throws(AuthenticationFailure) {
            return try await fetched(youngerThan: KeySetPlan.refetchInterval)
        } catch {
            // A wait that the client has ended says nothing of the token either.
            guard areCached, !Task.isCancelled else { throw error }
            // While a fetch runs, none has just failed: too many requests wait for it.
            throw keys.isFetching ? .init(.refetchDue) : .init(.unknownKey, advice: .issuerUnavailable)
        }
    }

    private func fetched(youngerThan age: Duration?) async throws(AuthenticationFailure) -> IssuerKeySet {
        do {
            return try await keys.value(youngerThan: age)
        } catch {
            throw .init(.keysUnavailable, retryAfter: error.retryAfter.wholeSeconds)
        }
    }
}

/// What is known of an issuer's fetches: when the last one succeeded, and which keys it had that cannot be used.
private final class FetchRecord: Sendable {
    private let last = Mutex<(time: NumericDate?, unusable: Set<JWKSet.UnusableKey>)>((nil, []))

    var lastTime: NumericDate? { last.withLock { $0.time } }

    /// Notes that keys were fetched, and logs those that cannot be used, each once as long as it is published.
    func add(_ unusable: [JWKSet.UnusableKey], of plan: KeySetPlan, _ fetching: KeySetFetching) {
        let before = last.withLock { exchange(&$0, with: (fetching.clock.now, Set(unusable))).unusable }
        for key in unusable where !before.contains(key) {
            fetching.logger.warning(
                "A key of the issuer cannot be used and is ignored.",
                metadata: ["keys": "\(plan.location)", "kid": "\(key.keyID ?? "")", "error": "\(key.reason)"]
            )
        }
    }
}

extension Duration {
    /// This time in seconds, rounded up, and at least one.
    fileprivate var wholeSeconds: Int { max(1, Int((self / .seconds(1)).rounded(.up))) }
}
