import Timing

/// The state behind the cache's lock: the state machine, the waiters and the tasks that carry out its decisions.
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

    /// The work to do after the lock is released.
    struct Work: Sendable {
        let effects: CacheState<Key, Value>.Effects
        /// The fetches to start.
        var starts: [FetchQueue<CacheState<Key, Value>.FlightPlan>.Item] = []
        /// The effects of dropping fetches that were still queued.
        var dropped: [CacheState<Key, Value>.Effects] = []
        var answered: [(waiter: Waiter, result: Result<Entry, any Error>)] = []
        var cancelled: [Fetch] = []
    }

    @usableFromInline
    var state: CacheState<Key, Value>
    var waiters: [WaiterID: Waiter] = [:]
    var fetches: [FlightID: Fetch] = [:]
    private var queue: FetchQueue<CacheState<Key, Value>.FlightPlan>
    /// How long a fetch without waiters may stay queued, in nanoseconds.
    private let patience: Int64

    init(_ configuration: CacheConfiguration) {
        state = CacheState(configuration)
        queue = FetchQueue(limit: configuration.maximumConcurrentFetches)
        patience = Int64(nanosecondsIn: configuration.callTimeout)
    }

    /// Raises the priority of a fetch.
    ///
    /// - Returns: The fetch's task, if its priority is lower.
    mutating func raise(_ id: FlightID, to priority: TaskPriority) -> Task<Void, Never>? {
        guard let fetch = fetches[id], fetch.priority < priority else { return nil }
        fetches[id]?.priority = priority
        return fetch.task
    }

    /// Passes an input to the state machine, and decides which queued fetches start.
    mutating func handle(
        _ input: CacheState<Key, Value>.Input,
        at now: Instant,
        jitter: Double,
        priority: TaskPriority
    ) -> Work {
        var work = Work(effects: state.handle(input, at: now, jitter: jitter))
        for (id, result) in work.effects.answers {
            if let waiter = waiters.removeValue(forKey: id) { work.answered.append((waiter, result)) }
        }
        for id in work.effects.cancellations {
            if let fetch = fetches.removeValue(forKey: id) { work.cancelled.append(fetch) }
            // A fetch that never ran doesn't report its end.
            if let plan = queue.end(id) {
                work.dropped.append(fail(plan, error: CacheError(.removed), at: now, jitter: jitter))
            }
        }
        if let ended = input.endedFlight { _ = queue.end(ended) }
        for plan in work.effects.starts {
            state.enqueue(plan)
            let waiting = state.flights[plan.key]?.waiters.keys.compactMap { waiters[$0]?.priority }.max()
            queue.add(plan, urgency: waiting.map { .init($0) } ?? .background, priority: waiting ?? priority)
        }
        if case .request(let request) = input, let flight = state.flights[request.key] {
            queue.hurry(flight.id, urgency: request.caller == nil ? .init(priority) : .nested, priority: priority)
        }
        while let next = nextFetch(at: now) {
            if state.isWanted(next.plan, at: now, within: patience) {
                state.begin(next.plan, at: now)
                work.starts.append(next)
            } else {
                _ = queue.end(next.plan.id)
                work.dropped.append(fail(next.plan, error: CacheError(.timedOut), at: now, jitter: jitter))
            }
        }
        return work
    }

    private mutating func nextFetch(at now: Instant) -> FetchQueue<CacheState<Key, Value>.FlightPlan>.Item? {
        let source = state.source
        return queue.next { source.allowsFetch(beside: $0, at: now) }
    }

    private mutating func fail(
        _ plan: CacheState<Key, Value>.FlightPlan,
        error: CacheError,
        at now: Instant,
        jitter: Double
    ) -> CacheState<Key, Value>.Effects {
        state.handle(.fail(plan, error, .retryable()), at: now, jitter: jitter)
    }
}
