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

    /// Handles an input at a time, with a random number between 0 and 1, and returns the work to do.
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

    /// Returns a key's value, if it is usable.
    func usableEntry(_ key: Key, at now: Instant) -> CacheEntry<Value>? {
        entries[key].flatMap { $0.isUsable(at: now, needing: 0) ? $0 : nil }
    }

    /// Returns whether the result of this fetch still counts.
    func isCurrent(_ plan: FlightPlan) -> Bool {
        flights[plan.key]?.id == plan.id
    }
}

extension CacheState {
    /// An input of the state machine.
    enum Input: Sendable {
        /// A caller that found no usable value starts to wait.
        case request(Request)
        /// A refresh is requested, and no caller waits for it.
        case refresh(Key)
        /// A waiter is resumed with an error, unless it was resumed already.
        case leave(Key, WaiterID, any Error)
        /// A fetch returned a value.
        case succeed(FlightPlan, Fetched<Value>)
        case fail(FlightPlan, any Error, FetchRetry, FailureExtent = .undetermined)
        /// A fetch exceeded its time limit.
        case giveUp(FlightPlan)
        /// A value is inserted that the cache didn't fetch.
        case insert(Key, Fetched<Value>)
        /// The value of this version was rejected.
        case invalidate(Key, version: UInt64)
        /// A key's value is removed, and so is a fetch of it.
        case remove(Key)
        /// All values are removed, and so are all fetches.
        case removeAll
        /// All values are removed, and all fetches are replaced by new ones for their waiters.
        case renewAll

        /// The fetch that has ended or was abandoned.
        var endedFlight: FlightID? {
            switch self {
            case .succeed(let plan, _), .fail(let plan, _, _, _), .giveUp(let plan): plan.id
            default: nil
            }
        }
    }

    /// A request of a caller that starts to wait.
    struct Request: Sendable {
        let key: Key
        let waiter: WaiterID
        /// The required remaining lifetime of the value, in nanoseconds.
        var needed: Int64 = 0
        /// The flight that the caller itself runs in.
        var caller: FlightID?
    }

    /// A fetch to start, or a started fetch.
    struct FlightPlan: Identifiable, Sendable {
        let id: FlightID
        let key: Key
        let reason: FetchReason
    }

    /// The work to do after the lock is released.
    struct Effects: Sendable {
        /// Fetches to start.
        var starts: [FlightPlan] = []
        /// Fetches to cancel.
        var cancellations: [FlightID] = []
        /// Waiters to resume; each appears exactly once.
        var answers: [(waiter: WaiterID, result: Result<CacheEntry<Value>, any Error>)] = []
        /// Events for the observer.
        var events: [CacheEvent<Key>] = []
        /// Objects that are no longer kept: releasing them may run foreign code, which must not happen under the lock.
        var retired: [any Sendable] = []
    }

    /// The handling of one input.
    struct Step {
        let moment: Moment
        var effects = Effects()
        var now: Instant { moment.now }
    }

    func note(
        _ name: CacheEvent<Key>.Name,
        of key: Key?,
        reason: FetchReason? = nil,
        duration: Seconds? = nil,
        error: CacheError? = nil,
        _ step: inout Step
    ) {
        step.effects.events.append(CacheEvent(name: name, key: key, reason: reason, duration: duration, error: error))
    }
}
