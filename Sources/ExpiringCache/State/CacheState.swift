/// The machine: what the cache knows and decides, with no clock, no randomness, no task and no lock in it.
///
/// Each key has at most one value, one flight and one gate, independent of each other:
///
/// - a value is fresh, then due for a refresh, then expired;
/// - a flight is a fetch that is under way, with its waiters;
/// - a gate remembers failures, and is closed for a while after each.
///
/// Whoever owns the machine passes in what happened with ``handle(_:at:)`` and then does what the effects say.

struct CacheState<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let rules: CacheRules
    var entries: ClockTable<Key, CacheEntry<Value>>
    var gates: ClockTable<Key, Gate>
    var flights: [Key: Flight] = [:]
    /// How many fetches of a key were given up and still run.
    var abandoned: [Key: Int] = [:]
    private var lastID: UInt64 = 0
    private var lastClockOffset: Int64?

    init(_ configuration: CacheConfiguration) {
        rules = CacheRules(configuration)
        entries = ClockTable(capacity: rules.capacity)
        gates = ClockTable(capacity: rules.capacity)
    }

    /// An ID that is greater than all before it.
    mutating func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// What there is for a key, for somebody who needs it to live for so many nanoseconds.
    ///
    /// It changes nothing but the mark that the key is in use.
    mutating func lookUp(_ key: Key, needing needed: Int64, at now: Instant) -> LookUp<Value> {
        guard let entry = entries.use(key), entry.isUsable(at: now, needing: needed) else { return .miss }
        return entry.isFresh(at: now) ? .fresh(entry.value) : .due(entry.value)
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, at now: Instant) -> Effects {
        var effects = Effects()
        noteClock(at: now, &effects)
        switch input {
        case .request(let request): handle(request, at: now, &effects)
        case .refresh(let key): refresh(key, at: now, &effects)
        case .leave(let key, let waiter, let error): leave(key, waiter, error, &effects)
        case .finish(let flight, let result, let jitter): finish(flight, result, jitter, at: now, &effects)
        case .giveUp(let flight, let jitter): giveUp(flight, jitter, at: now, &effects)
        case .insert(let key, let fetched, let jitter): insert(key, fetched, jitter, at: now, &effects)
        case .invalidate(let key, let version, let jitter): invalidate(key, version, jitter, at: now, &effects)
        case .removeAll: removeAll(at: now, &effects)
        }
        return effects
    }

    /// Whether this flight's result still counts.
    func isCurrent(_ flight: FlightID, of key: Key) -> Bool {
        flights[key]?.id == flight
    }

    private mutating func noteClock(at now: Instant, _ effects: inout Effects) {
        let offset = now.wall &- now.continuous
        defer { lastClockOffset = offset }
        guard let lastClockOffset else { return }
        let jump = offset &- lastClockOffset
        // What is less is a clock being corrected, not a clock being set.
        if jump.magnitude > 30_000_000_000 { effects.events.append(.clockJump(jump.seconds)) }
    }
}

/// What a look-up found.

enum LookUp<Value> {
    /// A value that can be used.
    case fresh(Value)
    /// A value that can be used and whose refresh is due.
    case due(Value)
    /// No value that can be used.
    case miss
}
