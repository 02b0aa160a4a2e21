import ExpiringCache
import JOSE
import ServiceSupport
import Synchronization

/// An issuer's current keys, fetched on demand and cached.
///
/// They are fetched again when they are old and, at a bounded rate, when a token names an unknown key: an issuer may sign with
/// a key that it has just published. If that fails, the last good keys are used until they reach their maximum age.
final class IssuerKeys: Sendable {
    /// The maximum number of requests that wait for the keys at once, so that forged tokens delay no other request.
    static let maximumWaiting = 64
    /// How many of them may be of one address; its larger network may have twice as many.
    static let maximumPerAddress = 16

    /// The source of the keys.
    let plan: KeySetPlan
    /// The cache of the keys.
    let cache: KeySetCache
    /// The requests that wait for the keys.
    let waiting = Mutex(NetworkCounts(maximum: maximumWaiting, perAddress: maximumPerAddress))

    init(plan: KeySetPlan, cache: KeySetCache) {
        self.plan = plan
        self.cache = cache
    }

    /// Whether the cache has valid keys.
    var areCached: Bool { cache.cachedValue(for: plan) != nil }

    /// The keys, for which an address waits, or without one the service itself.
    ///
    /// - Throws: ``AuthenticationFailure`` with code `keysUnavailable` when there are none that can be trusted, or too
    ///   many requests wait for them already.
    func current(for allowance: AddressAllowance?) async throws(AuthenticationFailure) -> IssuerKeySet {
        guard let allowance, cache.cachedValue(for: plan) == nil else { return try await fetched() }
        return try await fetched(waitingFor: allowance)
    }

    /// Waits for keys, unless too many requests do.
    private func fetched(
        waitingFor allowance: AddressAllowance,
        validFor seconds: Double = 0
    ) async throws(AuthenticationFailure) -> IssuerKeySet {
        let client = ClientNetwork(of: allowance.address)
        let mayWait = waiting.withLock { waiting in
            guard waiting.hasRoom(for: client) else { return false }
            waiting.add(client)
            return true
        }
        guard mayWait else { throw .init(.keysUnavailable, retryAfter: 1) }
        defer { waiting.withLock { $0.remove(client) } }
        return try await fetched(validFor: seconds)
    }

    private func fetched(validFor seconds: Double = 0) async throws(AuthenticationFailure) -> IssuerKeySet {
        do {
            return try await cache.value(for: plan, validFor: seconds)
        } catch {
            let seconds = (error as? CacheError)?.retryAfter ?? 1
            throw .init(.keysUnavailable, retryAfter: max(1, Int(seconds.rounded(.up))))
        }
    }

    /// Returns the key with an ID, and its set.
    ///
    /// - Throws: ``AuthenticationFailure`` with code `unknownKey` if the issuer has no such key, `refetchDue` if it must not
    ///   be queried again yet, and `keysUnavailable` as for ``current(for:)``.
    func key(
        named id: String,
        for allowance: AddressAllowance
    ) async throws(AuthenticationFailure) -> (VerificationKey, IssuerKeySet) {
        let wereCached = areCached
        let known = try await current(for: allowance)
        if let key = known[id] { return (key, known) }
        // Keys that were fetched for this token are new enough.
        guard wereCached else { throw .init(.unknownKey) }
        // A set with this remaining lifetime is younger than the minimum time between fetches, so it is returned
        // without a fetch.
        let remaining = lifetime(atAge: KeySetPlan.refetchInterval)
        let young = cache.cachedValue(for: plan, validFor: remaining)
        let newer = if let young { young } else { try await fetched(waitingFor: allowance, validFor: remaining) }
        if let key = newer[id] { return (key, newer) }
        // The issuer may have published the key since. A file is read again when it changes.
        guard young != nil, plan.isRemote else { throw .init(.unknownKey) }
        throw .init(.refetchDue, retryAfter: secondsUntilRefetch)
    }

    /// The remaining lifetime that keys have until just before an age, in seconds.
    private func lifetime(atAge age: Int64) -> Double { Double(KeySetPlan.maxStale - age) + 0.001 }

    /// How long the keys must not be fetched again.
    private var secondsUntilRefetch: Int {
        let interval = KeySetPlan.refetchInterval
        let seconds = (1...interval).first {
            cache.cachedValue(for: plan, validFor: lifetime(atAge: interval - $0)) == nil
        }
        return Int(seconds ?? interval)
    }
}
