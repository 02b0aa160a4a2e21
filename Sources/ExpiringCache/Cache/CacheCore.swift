/// What the cache's lock guards: the machine, and who waits for or works on what it decided.
@usableFromInline
struct CacheCore<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Entry = CacheEntry<Value>

    struct Waiter: Sendable {
        let priority: TaskPriority
        let completion: @Sendable (Result<Entry, any Error>) -> Void
        var cancelTimeout: (@Sendable () -> Void)?
    }

    struct Fetch: Sendable {
        let task: Task<Void, Never>
        let cancelTimeout: (@Sendable () -> Void)?
        var priority: TaskPriority
    }

    /// What must be done once the lock is released.
    struct Work: Sendable {
        let effects: CacheState<Key, Value>.Effects
        var answered: [(waiter: Waiter, result: Result<Entry, any Error>)] = []
        var cancelled: [Fetch] = []
    }

    @usableFromInline
    var state: CacheState<Key, Value>
    var waiters: [WaiterID: Waiter] = [:]
    var fetches: [FlightID: Fetch] = [:]

    init(_ configuration: CacheConfiguration) {
        state = CacheState(configuration)
    }

    /// Raises a fetch to a priority.
    ///
    /// - Returns: Its task, if that has a lower one.
    mutating func raise(_ id: FlightID, to priority: TaskPriority) -> Task<Void, Never>? {
        guard let fetch = fetches[id], fetch.priority < priority else { return nil }
        fetches[id]?.priority = priority
        return fetch.task
    }

    mutating func handle(_ input: CacheState<Key, Value>.Input, at now: Instant, jitter: Double) -> Work {
        var work = Work(effects: state.handle(input, at: now, jitter: jitter))
        for (id, result) in work.effects.answers {
            if let waiter = waiters.removeValue(forKey: id) { work.answered.append((waiter, result)) }
        }
        for id in work.effects.cancellations {
            if let fetch = fetches.removeValue(forKey: id) { work.cancelled.append(fetch) }
        }
        return work
    }
}
