public import Timing

/// A fetched value and its lifetime.
package struct Fetched<Value: Sendable>: Sendable {
    package let value: Value
    /// The lifetime of the value, in seconds from when its source responded.
    ///
    /// The cache counts from the start of the fetch, so a slow response can only shorten the lifetime. Zero, a negative
    /// number or not-a-number means that the value had already expired: a failed fetch.
    package let lifetime: Seconds
    /// When a refresh becomes due, in seconds; nil uses the configuration's choice, which also is the latest.
    package let refreshAfter: Seconds?
    /// The pause after a fetch that fails while this value is usable, in seconds; nil uses backoff.
    ///
    /// A usable value removes the urgency. When the value becomes too old to use, the pause ends and backoff begins as
    /// after a first failure; a longer delay requested by the source still applies.
    package let retryInterval: Seconds?

    package init(_ value: Value, lifetime: Seconds, refreshAfter: Seconds? = nil, retryInterval: Seconds? = nil) {
        self.value = value
        self.lifetime = lifetime
        self.refreshAfter = refreshAfter
        self.retryInterval = retryInterval
    }
}

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

/// The times in a value's life, in nanoseconds of its age.
@usableFromInline
struct Lifespan: Hashable, Sendable {
    /// The age at which it expires.
    @usableFromInline
    let total: Int64
    /// The age from which it isn't returned to callers.
    @usableFromInline
    let usable: Int64
    /// The age at which its refresh is due.
    @usableFromInline
    let fresh: Int64
    /// ``retryInterval``; negative for nil, which saves eight bytes of each value.
    private let storedRetryInterval: Int64

    init(total: Int64, usable: Int64, fresh: Int64, retryInterval: Int64?) {
        self.total = total
        self.usable = usable
        self.fresh = fresh
        storedRetryInterval = retryInterval ?? -1
    }

    /// The pause after a fetch that fails while the value is usable; nil uses backoff.
    var retryInterval: Int64? { storedRetryInterval < 0 ? nil : storedRetryInterval }
}
