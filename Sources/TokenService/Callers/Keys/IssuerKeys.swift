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

    /// The keys.
    ///
    /// - Throws: ``AuthenticationFailure`` with code `keysUnavailable` when there are none that can be trusted.
    func current() async throws(AuthenticationFailure) -> IssuerKeySet {
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
    ///   and `keysUnavailable` as ``current()`` does.
    func key(named id: String) async throws(AuthenticationFailure) -> (IssuerKey, IssuerKeySet) {
        let known = try await current()
        if let key = known[id] { return (key, known) }
        // A set that is good for so long is younger than the least time between fetches, and comes without another one.
        let remaining = Double(plan.maxStale - plan.refetchInterval)
        guard let newer = try? await cache.value(for: plan, validFor: remaining), let key = newer[id] else {
            throw .init(.unknownKey)
        }
        return (key, newer)
    }
}
