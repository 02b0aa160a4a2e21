public import Timing

/// A cached value and its times.
@usableFromInline
package struct CacheEntry<Value: Sendable>: Sendable {
    @usableFromInline
    package let value: Value
    /// The ID of the flight or insertion that provided it: a greater ID began later.
    @usableFromInline
    let version: UInt64
    /// The start of its fetch.
    @usableFromInline
    let origin: Instant
    @usableFromInline
    let lifespan: Lifespan

    /// Returns whether the value is usable with the required remaining lifetime, in nanoseconds.
    @inlinable
    func isUsable(at now: Instant, needing needed: Int64) -> Bool {
        let age = now.age(since: origin)
        return age < lifespan.usable && lifespan.total &- age >= needed
    }

    /// Returns whether no refresh is due yet.
    @inlinable
    func isFresh(at now: Instant) -> Bool {
        now.age(since: origin) < lifespan.fresh
    }

    /// Returns its eviction rank: it is not evicted while its key is in flight.
    func rank(isInFlight: Bool, at now: Instant) -> EvictionRank {
        guard !isInFlight else { return .kept }
        return isUsable(at: now, needing: 0) ? .ordinary : .dead
    }
}
