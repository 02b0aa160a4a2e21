import Timing

typealias FlightID = UInt64
typealias WaiterID = UInt64

/// A running or queued fetch whose result will count, and its waiters.
struct Flight: Sendable {
    let id: FlightID
    /// When it started, or when it was queued.
    var origin: Instant
    let reason: FetchReason
    /// Whether it was started because the previous value became too old in transit.
    var isRepeat = false
    /// Whether it is queued, so that no request was sent to the source yet.
    var isQueued = false
    /// The remaining lifetime that each waiter requires, in nanoseconds.
    var waiters: [WaiterID: Int64] = [:]
}

/// The abandoned fetches that may still be running.
///
/// Each counts against its key's limit until it ends, or for a limited time: a fetch whose callback was lost never
/// ends, and must not block its key permanently.
struct AbandonedFetches<Key: Hashable & Sendable>: Sendable {
    private let lifetime: Int64
    /// The time at which each fetch stops counting.
    private var ends: [Key: [FlightID: Int64]] = [:]
    /// The number of keys at which to look for fetches that no longer count.
    private var sweepCount = 64

    init(lifetime: Int64) {
        self.lifetime = lifetime
    }

    var isEmpty: Bool { ends.isEmpty }
    /// The number of keys that use memory.
    var keyCount: Int { ends.count }

    /// Returns how many fetches of a key count, and when the first of them stops counting.
    func count(of key: Key, at now: Instant) -> (count: Int, until: Int64) {
        let ends = ends[key, default: [:]].values.filter { $0 > now.continuous }
        return (ends.count, ends.min() ?? .max)
    }

    mutating func add(_ id: FlightID, of key: Key, at now: Instant) {
        ends[key] = ends[key, default: [:]].filter { $0.value > now.continuous }
        ends[key]?[id] = now.continuous &+ lifetime
        guard ends.count > sweepCount else { return }
        // These keys may never be used again.
        ends = ends.filter { $0.value.values.contains { $0 > now.continuous } }
        sweepCount = max(64, 2 * ends.count)
    }

    /// Removes an abandoned fetch that has ended.
    mutating func remove(_ id: FlightID, of key: Key) {
        guard ends[key]?.removeValue(forKey: id) != nil else { return }
        if ends[key]?.isEmpty == true { ends[key] = nil }
    }
}
