import ExpiringCache

/// An issuer's keys as they are now: fetched when somebody needs them, and kept.
///
/// They are fetched again when they are old and, at a bounded rate, when a token names one that isn't among them. If that
/// fails, the last good ones stay until they are too old to be trusted.
struct IssuerKeys: Sendable {
    /// Where they are.
    let plan: KeySetPlan
    /// Where they are kept.
    let cache: KeySetCache
    /// Who may wait while they are fetched.
    var waiting = WaitingPlaces()

    /// The keys.
    ///
    /// - Parameter allowance: The address that waits for them, if it must; nil where the service does of its own accord.
    /// - Returns: The keys.
    /// - Throws: ``AuthenticationFailure`` with code `keysUnavailable` when there are none that can be trusted, or too many
    ///   requests wait for them already.
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

    /// The key with an ID, and the set that it is in.
    ///
    /// - Throws: ``AuthenticationFailure`` with code `unknownKey` when the issuer has none, or cannot be asked again yet,
    ///   and `keysUnavailable` as ``current(for:)`` does.
    func key(
        named id: String,
        for allowance: AddressAllowance
    ) async throws(AuthenticationFailure) -> (IssuerKey, IssuerKeySet) {
        let known = try await current(for: allowance)
        if let key = known[id] { return (key, known) }
        // A set that is good for so long is younger than the least time between fetches, and comes without another one.
        let remaining = Double(plan.maxStale - plan.refetchInterval)
        var newer = cache.cachedValue(for: plan, validFor: remaining)
        if newer == nil {
            newer = try await wait(for: allowance) { try? await cache.value(for: plan, validFor: remaining) }
        }
        guard let newer, let key = newer[id] else { throw .init(.unknownKey) }
        return (key, newer)
    }
}
