public import Timing

/// The state machine: the cache's data and decisions, without a clock, randomness, tasks or locks.
///
/// Each key has at most one value, one flight and one gate, independent of each other:
///
/// - a value is fresh, then due for a refresh, then expired;
/// - a flight is a fetch that is under way, with its waiters;
/// - a gate remembers failures, and is closed for a while after each.
///
/// A further gate, of the source, closes for all keys.
///
/// The owner reports events with ``handle(_:at:jitter:)`` and then carries out the returned effects.
@usableFromInline
struct CacheState<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let rules: CacheRules
    @usableFromInline
    var entries: ClockTable<Key, CacheEntry<Value>>
    var gates: ClockTable<Key, Gate>
    var flights: [Key: Flight] = [:]
    var abandoned: AbandonedFetches<Key>
    /// The pause of all keys.
    var source = SourceGate<Key>()
    /// Values with a version up to this one were removed, and so were fetches with such an ID.
    var removal: UInt64 = 0
    /// Values with a version up to this one belong to earlier credentials: their callers get a newer one.
    var renewal: UInt64 = 0
    private(set) var lastID: UInt64 = 0

    init(_ configuration: CacheConfiguration) {
        rules = CacheRules(configuration)
        entries = ClockTable(capacity: rules.capacity)
        gates = ClockTable(capacity: rules.capacity)
        abandoned = AbandonedFetches(lifetime: rules.abandonedFetchLifetime)
    }

    /// Returns an ID that is greater than all previous IDs.
    mutating func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Looks up a part of a key's entry, for a caller that requires this remaining lifetime in nanoseconds.
    ///
    /// It changes only the flag that the key is in use.
    @inlinable
    mutating func lookUp<Part>(
        _ key: Key,
        needing needed: Int64,
        at now: Instant,
        _ part: (CacheEntry<Value>) -> Part
    ) -> LookUp<Part> {
        guard let slot = entries.useSlot(of: key), entries.slots[slot].element.isUsable(at: now, needing: needed) else {
            return .miss
        }
        let found = part(entries.slots[slot].element)
        return entries.slots[slot].element.isFresh(at: now) ? .fresh(found) : .due(found)
    }

    /// Handles an input.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - now: The current time.
    ///   - jitter: A random number between 0 and 1.
    /// - Returns: The work to do.
    mutating func handle(_ input: Input, at now: Instant, jitter: Double) -> Effects {
        var step = Step(moment: Moment(now: now, jitter: jitter, rules: rules))
        switch input {
        case .request(let request): handle(request, &step)
        case .refresh(let key): refresh(key, &step)
        case .leave(let key, let waiter, let error): leave(key, waiter: waiter, error: error, &step)
        case .succeed(let plan, let fetched): succeed(plan, fetched: fetched, &step)
        case .fail(let plan, let error, let retry, let extent):
            fail(plan, error: error, retry: retry, extent: extent, &step)
        case .giveUp(let plan): giveUp(plan, &step)
        case .insert(let key, let fetched): insert(key, fetched: fetched, &step)
        case .invalidate(let key, let version): invalidate(key, version: version, &step)
        case .remove(let key): remove(key, &step)
        case .removeAll: removeAll(&step)
        case .renewAll: renewAll(&step)
        }
        trim(&step)
        return step.effects
    }

    /// Returns the newest value for a caller that was given one but resumes only now.
    mutating func take(_ entry: CacheEntry<Value>, of key: Key, needing needed: Int64, at now: Instant) -> Late {
        guard entry.version > removal else { return .removed }
        switch lookUp(key, needing: needed, at: now, { $0.value }) {
        case .fresh(let newest), .due(let newest): return .value(newest)
        case .miss where entry.version <= renewal: return .renewed
        case .miss: return entry.isUsable(at: now, needing: needed) ? .value(entry.value) : .expired
        }
    }

    /// Returns a key's value, if it is usable.
    func usableEntry(_ key: Key, at now: Instant) -> CacheEntry<Value>? {
        entries[key].flatMap { $0.isUsable(at: now, needing: 0) ? $0 : nil }
    }

    /// Returns whether the result of this fetch still counts.
    func isCurrent(_ plan: FlightPlan) -> Bool {
        flights[plan.key]?.id == plan.id
    }

    /// Returns whether a queued fetch is still useful: a caller waits for it, or it was queued recently.
    ///
    /// Without a bound, a hanging source would accumulate fetches whose callers have all timed out.
    func isWanted(_ plan: FlightPlan, at now: Instant, within patience: Int64) -> Bool {
        guard let flight = flights[plan.key] else { return false }
        return !flight.waiters.isEmpty || now.age(since: flight.origin) <= patience
    }

    /// Marks a fetch as queued.
    mutating func enqueue(_ plan: FlightPlan) {
        flights[plan.key]?.isQueued = true
    }

    /// Marks a queued fetch as started: its time limit and the lifetime of its value count from here.
    mutating func begin(_ plan: FlightPlan, at now: Instant) {
        flights[plan.key]?.origin = now
        flights[plan.key]?.isQueued = false
    }

}

extension CacheState {
    /// What a caller gets that was given a value but resumes only now.
    enum Late {
        case value(Value)
        /// All values were removed meanwhile.
        case removed
        /// The value belongs to earlier credentials.
        case renewed
        case expired
    }
}

/// The result of a look-up.
@usableFromInline
enum LookUp<Found> {
    /// A usable value.
    case fresh(Found)
    /// A usable value whose refresh is due.
    case due(Found)
    /// No usable value.
    case miss
}
