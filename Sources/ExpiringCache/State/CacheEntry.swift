/// A value and its times.
@usableFromInline
struct CacheEntry<Value: Sendable>: Sendable {
    @usableFromInline
    let value: Value
    /// The ID of the flight or the insertion that brought it: a greater one began later.
    @usableFromInline
    let version: UInt64
    /// When its fetch began.
    @usableFromInline
    let origin: Instant
    @usableFromInline
    let lifespan: Lifespan

    /// Whether it may be handed out to somebody who needs it to live for so many nanoseconds.
    @inlinable
    func isUsable(at now: Instant, needing needed: Int64) -> Bool {
        let age = now.age(since: origin)
        return age < lifespan.usable && lifespan.total &- age >= needed
    }

    /// Whether it doesn't need a refresh yet.
    @inlinable
    func isFresh(at now: Instant) -> Bool {
        now.age(since: origin) < lifespan.fresh
    }

    /// How easily it makes room for another: not at all while its key is in flight.
    func rank(isInFlight: Bool, at now: Instant) -> EvictionRank {
        guard !isInFlight else { return .kept }
        return isUsable(at: now, needing: 0) ? .ordinary : .dead
    }
}
