import ExpiringCache
import JOSE

/// An issuer's current keys, fetched on demand and cached.
///
/// They are fetched again when they are old and, at a bounded rate, when a token names an unknown key. If that fails,
/// the last good keys are used until they reach their maximum age.
struct IssuerKeys: Sendable {
    /// Where they are.
    let plan: KeySetPlan
    /// Where they are kept.
    let cache: KeySetCache
    /// Who may wait while they are fetched.
    var waiting = WaitingPlaces()

    /// Whether the cache has valid keys.
    var areCached: Bool { cache.cachedValue(for: plan) != nil }

    /// The keys.
    ///
    /// - Parameter allowance: The address that waits for the keys; nil for the service itself.
    /// - Returns: The keys.
    /// - Throws: ``AuthenticationFailure`` with code `keysUnavailable` when there are none that can be trusted, or too
    ///   many requests wait for them already.
    func current(for allowance: AddressAllowance?) async throws(AuthenticationFailure) -> IssuerKeySet {
        guard let allowance, cache.cachedValue(for: plan) == nil else { return try await fetched() }
        return try await wait(for: allowance, fetched)
    }

    /// Waits in a place.
    private func wait<Result>(
        for allowance: AddressAllowance,
        _ body: () async throws(AuthenticationFailure) -> Result
    ) async throws(AuthenticationFailure) -> Result {
        try await waiting.take(for: allowance.network, elseThrow: .init(.keysUnavailable, retryAfter: 1), body)
    }

    private func fetched() async throws(AuthenticationFailure) -> IssuerKeySet {
        do {
            return try await cache.value(for: plan)
        } catch {
            let seconds = (error as? CacheError)?.retryAfter ?? 1
            throw .init(.keysUnavailable, retryAfter: max(1, Int(seconds.rounded(.up))))
        }
    }

    /// Returns the key with an ID, and its set.
    ///
    /// - Throws: ``AuthenticationFailure`` with code `unknownKey` if the issuer has no such key or must not be queried
    ///   again yet, and `keysUnavailable` as for ``current(for:)``.
    func key(
        named id: String,
        for allowance: AddressAllowance
    ) async throws(AuthenticationFailure) -> (VerificationKey, IssuerKeySet) {
        let known = try await current(for: allowance)
        if let key = known[id] { return (key, known) }
        // A set with this remaining lifetime is younger than the minimum time between fetches, so it is returned
        // without a fetch.
        let remaining = Double(plan.maxStale - plan.refetchInterval)
        var newer = cache.cachedValue(for: plan, validFor: remaining)
        if newer == nil {
            newer = try await wait(for: allowance) { try? await cache.value(for: plan, validFor: remaining) }
        }
        guard let newer, let key = newer[id] else { throw .init(.unknownKey) }
        return (key, newer)
    }
}
