/// The fetches that were given up and, as far as is known, still run.
///
/// They count against their key's bound until they end, or for so long: a fetch whose callback was lost never ends, and
/// must not make its key unusable for good.
struct AbandonedFetches<Key: Hashable & Sendable>: Sendable {
    private let lifetime: Int64
    /// Until when each counts.
    private var ends: [Key: [FlightID: Int64]] = [:]
    /// How many keys make it worth looking for those whose time is over.
    private var sweepCount = 64

    init(lifetime: Int64) {
        self.lifetime = lifetime
    }

    var isEmpty: Bool { ends.isEmpty }
    /// How many keys take up memory.
    var keyCount: Int { ends.count }

    /// How many of a key's fetches count, and when the first of them no longer will.
    func count(of key: Key, at now: Instant) -> (count: Int, until: Int64) {
        let ends = ends[key, default: [:]].values.filter { $0 > now.continuous }
        return (ends.count, ends.min() ?? .max)
    }

    mutating func add(_ id: FlightID, of key: Key, at now: Instant) {
        ends[key] = ends[key, default: [:]].filter { $0.value > now.continuous }
        ends[key]?[id] = now.continuous &+ lifetime
        guard ends.count > sweepCount else { return }
        // There may be no further call for these keys.
        ends = ends.filter { $0.value.values.contains { $0 > now.continuous } }
        sweepCount = max(64, 2 * ends.count)
    }

    /// Notes that a fetch ended at last.
    mutating func remove(_ id: FlightID, of key: Key) {
        guard ends[key]?.removeValue(forKey: id) != nil else { return }
        if ends[key]?.isEmpty == true { ends[key] = nil }
    }
}
