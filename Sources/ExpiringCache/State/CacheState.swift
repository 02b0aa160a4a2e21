/// The machine: what the cache knows and decides, with no clock, no randomness, no task and no lock in it.
///
/// Each key has at most one value, one flight and one gate, independent of each other:
///
/// - a value is fresh, then due for a refresh, then expired;
/// - a flight is a fetch that is under way, with its waiters;
/// - a gate remembers failures, and is closed for a while after each.
///
/// Whoever owns the machine tells it what happened with ``handle(_:at:jitter:)`` and then does what the effects say.
@usableFromInline
struct CacheState<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let rules: CacheRules
    @usableFromInline
    var entries: ClockTable<Key, CacheEntry<Value>>
    var gates: ClockTable<Key, Gate>
    var flights: [Key: Flight] = [:]
    var abandoned: AbandonedFetches<Key>
    /// Values with a version up to this one were removed, and so were fetches with such an ID.
    var fence: UInt64 = 0
    private var lastID: UInt64 = 0
    private var lastClockOffset: Int64?

    init(_ configuration: CacheConfiguration) {
        rules = CacheRules(configuration)
        entries = ClockTable(capacity: rules.capacity)
        gates = ClockTable(capacity: rules.capacity)
        abandoned = AbandonedFetches(lifetime: rules.abandonedFetchLifetime)
    }

    /// An ID that is greater than all before it.
    mutating func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// What there is for a key, for somebody who needs it to live for so many nanoseconds.
    ///
    /// It changes nothing but the mark that the key is in use.
    @inlinable
    mutating func lookUp(_ key: Key, needing needed: Int64, at now: Instant) -> LookUp<CacheEntry<Value>> {
        guard let entry = entries.use(key), entry.isUsable(at: now, needing: needed) else { return .miss }
        return entry.isFresh(at: now) ? .fresh(entry) : .due(entry)
    }

    /// Takes in what happened.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When.
    ///   - jitter: A random number between 0 and 1.
    /// - Returns: What must be done.
    mutating func handle(_ input: Input, at now: Instant, jitter: Double) -> Effects {
        var turn = Turn(now: now, jitter: jitter)
        noteClock(&turn)
        switch input {
        case .request(let request): handle(request, &turn)
        case .refresh(let key): refresh(key, &turn)
        case .leave(let key, let waiter, let error): leave(key, waiter, error, &turn)
        case .succeed(let plan, let fetched): succeed(plan, fetched, &turn)
        case .fail(let plan, let error, let retry): fail(plan, error, retry, &turn)
        case .giveUp(let plan): giveUp(plan, &turn)
        case .insert(let key, let fetched): insert(key, fetched, &turn)
        case .invalidate(let key, let version): invalidate(key, version, &turn)
        case .remove(let key): remove(key, &turn)
        case .removeAll: removeAll(&turn)
        }
        trim(&turn)
        return turn.effects
    }

    /// What a caller gets who was answered with a value and takes it only now.
    ///
    /// - Returns: The newest value; `nil` if it has expired meanwhile.
    /// - Throws: ``CacheError/Code/removed``, if everything was removed meanwhile.
    mutating func takeLate(
        _ entry: CacheEntry<Value>,
        of key: Key,
        needing needed: Int64,
        at now: Instant
    ) throws(CacheError) -> Value? {
        guard entry.version > fence else { throw CacheError(.removed) }
        switch lookUp(key, needing: needed, at: now) {
        case .fresh(let newest), .due(let newest): return newest.value
        case .miss: return entry.isUsable(at: now, needing: needed) ? entry.value : nil
        }
    }

    /// A key's value, if it can be handed out.
    func usableEntry(_ key: Key, at now: Instant) -> CacheEntry<Value>? {
        entries[key].flatMap { $0.isUsable(at: now, needing: 0) ? $0 : nil }
    }

    /// Whether this fetch's result still counts.
    func isCurrent(_ plan: FlightPlan) -> Bool {
        flights[plan.key]?.id == plan.id
    }

    /// Whether a fetch that waited for its turn is still worth its while: a caller waits for it, or it came not
    /// too long ago.
    ///
    /// Without a bound, a source that hangs would leave ever more fetches behind for which all callers have given up.
    func isWanted(_ plan: FlightPlan, at now: Instant, within patience: Int64) -> Bool {
        guard let flight = flights[plan.key] else { return false }
        return !flight.waiters.isEmpty || now.age(since: flight.origin) <= patience
    }

    /// Notes that a fetch waits for its turn.
    mutating func enqueue(_ plan: FlightPlan) {
        flights[plan.key]?.isQueued = true
    }

    /// Notes that a fetch's turn has come: its time-out and the life of its value count from here.
    mutating func begin(_ plan: FlightPlan, at now: Instant) {
        flights[plan.key]?.origin = now
        flights[plan.key]?.isQueued = false
    }

    private mutating func noteClock(_ turn: inout Turn) {
        let offset = turn.now.wall &- turn.now.continuous
        let jump = offset &- (lastClockOffset ?? offset)
        lastClockOffset = offset
        // What is less is a clock being corrected, not a clock being set.
        if jump.magnitude > 30_000_000_000 { turn.effects.events.append(.clockJump(jump.seconds)) }
    }
}

/// What a look-up found.
@usableFromInline
enum LookUp<Entry> {
    /// A value that can be used.
    case fresh(Entry)
    /// A value that can be used and whose refresh is due.
    case due(Entry)
    /// No value that can be used.
    case miss
}
