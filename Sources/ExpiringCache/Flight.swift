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

/// The flight that the current task works for; used to detect a fetch that waits for itself.
struct CurrentFlight: Sendable {
    @TaskLocal static var value: CurrentFlight?

    let cache: ObjectIdentifier
    let id: FlightID
}

/// The abandoned fetches that may still be running.
///
/// Each counts against its key's limit until it ends, or for a limited time: a fetch whose callback was lost never
/// ends, and must not block its key permanently.
struct AbandonedFetches<Key: Hashable & Sendable>: Sendable {
    private let lifetime: Int64
    /// The time at which each fetch stops counting.
    private(set) var ends: [Key: [FlightID: Int64]] = [:]
    /// The number of keys at which to look for fetches that no longer count.
    private var sweepCount = 64

    init(lifetime: Int64) {
        self.lifetime = lifetime
    }

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

/// Schedules fetches: limits how many run at once and queues the others.
///
/// Fetches with waiting callers go first, then background fetches; equal ones go in order of arrival. A fetch that
/// another fetch of this cache waits for starts immediately: the other already holds a slot, and would hold it forever.
struct FetchQueue<Plan: Identifiable & Sendable>: Sendable where Plan.ID == FlightID {
    /// The urgency of a fetch, most urgent first.
    enum Urgency: Int, Comparable, Sendable {
        /// Another fetch waits for it.
        case nested
        /// A caller waits for it.
        case foreground
        /// No caller waits for it.
        case background

        static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    private typealias Item = (plan: Plan, urgency: Urgency)

    private let limit: Int
    private var running: Set<FlightID> = []
    /// The queued fetches, in the order in which they start.
    private var queued: [Item] = []

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a fetch to the queue.
    mutating func add(_ plan: Plan, _ urgency: Urgency) {
        // IDs only increase, so the first arrived first. From the end: a new fetch is usually the last.
        let previous = queued.lastIndex { ($0.urgency, $0.plan.id) < (urgency, plan.id) }
        queued.insert((plan, urgency), at: previous.map { $0 + 1 } ?? 0)
    }

    /// Makes a queued fetch more urgent, if it isn't already.
    mutating func hurry(_ id: FlightID, _ urgency: Urgency) {
        guard let index = queued.lastIndex(where: { $0.plan.id == id }), urgency < queued[index].urgency else { return }
        add(queued.remove(at: index).plan, urgency)
    }

    /// Ends a fetch; one that was queued never runs.
    mutating func end(_ id: FlightID) {
        if running.remove(id) == nil { queued.removeAll { $0.plan.id == id } }
    }

    /// Starts the next queued fetch.
    ///
    /// - Parameter isAllowed: Returns whether one more fetch may run beside these.
    /// - Returns: The fetch; nil when none is queued or a limit is reached.
    mutating func next(_ isAllowed: (Set<FlightID>) -> Bool = { _ in true }) -> Plan? {
        guard let first = queued.first, first.urgency == .nested || running.count < limit && isAllowed(running) else {
            return nil
        }
        running.insert(first.plan.id)
        return queued.removeFirst().plan
    }
}
