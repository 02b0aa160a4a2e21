import ExpiringCache
import JOSE
import ServiceSupport
import Synchronization

/// An issuer's current keys, fetched on demand and cached.
///
/// They are fetched again when they are old and, at a bounded rate, when a token names an unknown key: an issuer may sign with
/// a key that it has just published. If that fails, the last good keys are used until they reach their maximum age.
struct IssuerKeys: Sendable {
    /// The source of the keys.
    let plan: KeySetPlan
    /// The cache of the keys.
    let cache: KeySetCache
    /// The slots for requests that wait for the keys.
    var waiting = WaitingSlots()

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
        return try await wait(for: allowance) { () async throws(AuthenticationFailure) in try await fetched() }
    }

    /// Waits in a slot.
    private func wait<Result>(
        for allowance: AddressAllowance,
        _ body: () async throws(AuthenticationFailure) -> Result
    ) async throws(AuthenticationFailure) -> Result {
        let client = ClientNetwork(of: allowance.address)
        return try await waiting.take(for: client, elseThrow: .init(.keysUnavailable, retryAfter: 1), body)
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
        let remaining = lifetime(atAge: plan.refetchInterval)
        var newer = cache.cachedValue(for: plan, validFor: remaining)
        let isYoung = newer != nil
        if newer == nil {
            newer = try await wait(for: allowance) { () async throws(AuthenticationFailure) in
                try await fetched(validFor: remaining)
            }
        }
        if let newer, let key = newer[id] { return (key, newer) }
        // The issuer may have published the key since. A file is read again when it changes.
        guard isYoung, plan.isRemote else { throw .init(.unknownKey) }
        throw .init(.refetchDue, retryAfter: secondsUntilRefetch)
    }

    /// The remaining lifetime that keys have until just before an age, in seconds.
    private func lifetime(atAge age: Int64) -> Double { Double(plan.maxStale - age) + 0.001 }

    /// How long the keys must not be fetched again.
    private var secondsUntilRefetch: Int {
        let interval = min(plan.refetchInterval, 60)
        let seconds = (1...interval).first {
            cache.cachedValue(for: plan, validFor: lifetime(atAge: plan.refetchInterval - $0)) == nil
        }
        return Int(seconds ?? interval)
    }
}

/// Bounds how many requests wait for an issuer's keys at once, so that forged tokens delay no other request.
final class WaitingSlots: Sendable {
    /// The number of slots.
    static let maximum = 64
    /// The number of slots that one address may take.
    static let maximumPerAddress = 16

    private let taken = Mutex(NetworkCounts(maximum: maximum, perAddress: maximumPerAddress))

    /// The number of slots in use.
    var count: Int { taken.withLock { $0.total } }

    /// Runs an operation in a slot.
    ///
    /// - Parameters:
    ///   - client: The client, whose larger network may take twice as many slots as an address.
    ///   - failure: The error to throw if there is no free slot.
    ///   - body: The operation that waits.
    /// - Returns: The result of the body.
    /// - Throws: The failure if there is no free slot, or the error of the body.
    func take<Result, Failure: Error>(
        for client: ClientNetwork,
        elseThrow failure: Failure,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let isTaken = taken.withLock { taken in
            guard taken.hasRoom(for: client) else { return false }
            taken.add(client)
            return true
        }
        guard isTaken else { throw failure }
        defer { taken.withLock { $0.remove(client) } }
        return try await body()
    }
}
