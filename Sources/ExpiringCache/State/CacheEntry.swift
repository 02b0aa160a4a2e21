/// A value and its times.
struct CacheEntry<Value: Sendable>: Sendable {
    let value: Value
    /// The ID of the flight or the insertion that brought it: a greater one began later.
    let version: UInt64
    /// When its fetch began.
    let origin: Instant
    let lifespan: Lifespan

    /// Whether it may be handed out to somebody who needs it to live for so many nanoseconds.
    func isUsable(at now: Instant, needing needed: Int64) -> Bool {
        let age = now.age(since: origin)
        return age < lifespan.usable && lifespan.total - age >= needed
    }

    /// Whether it doesn't need a refresh yet.
    func isFresh(at now: Instant) -> Bool {
        now.age(since: origin) < lifespan.fresh
    }
}
