import Timing

/// The state behind the cache's lock: the state machine, the waiters and the tasks that carry out its decisions.
@usableFromInline
struct CacheCore<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    typealias State = CacheState<Key, Value>

    struct Waiter: Sendable {
        let continuation: CheckedContinuation<CacheEntry<Value>, any Error>
        var cancelTimeout: (@Sendable () -> Void)?
    }

    struct Fetch: Sendable {
        let task: Task<Void, Never>
        let cancelTimeout: @Sendable () -> Void
    }

    /// The work to do after the lock is released.
    struct Work: Sendable {
        let effects: State.Effects
        /// The fetches to start.
        var starts: [State.FlightPlan] = []
        /// The effects of dropping fetches that were still queued.
        var dropped: [State.Effects] = []
        var answered: [(waiter: Waiter, result: Result<CacheEntry<Value>, any Error>)] = []
        var cancelled: [Fetch] = []
    }

    @usableFromInline
    var state: State
    var waiters: [WaiterID: Waiter] = [:]
    var fetches: [FlightID: Fetch] = [:]
    private var queue: FetchQueue<State.FlightPlan>
    /// How long a fetch without waiters may stay queued, in nanoseconds.
    private let patience: Int64

    init(_ configuration: CacheConfiguration) {
        state = State(configuration)
        queue = FetchQueue(limit: configuration.maximumConcurrentFetches)
        patience = Int64(nanosecondsIn: configuration.callTimeout)
    }

    /// Passes an input to the state machine, and decides which queued fetches start.
    mutating func handle(_ input: State.Input, at now: Instant, jitter: Double) -> Work {
        var work = Work(effects: state.handle(input, at: now, jitter: jitter))
        for (id, result) in work.effects.answers {
            if let waiter = waiters.removeValue(forKey: id) { work.answered.append((waiter, result)) }
        }
        for id in work.effects.cancellations {
            if let fetch = fetches.removeValue(forKey: id) { work.cancelled.append(fetch) }
            queue.end(id)
        }
        if let ended = input.endedFlight { queue.end(ended) }
        for plan in work.effects.starts {
            state.enqueue(plan)
            queue.add(plan, state.flights[plan.key]?.waiters.isEmpty == false ? .foreground : .background)
        }
        if case .request(let request) = input, let flight = state.flights[request.key] {
            queue.hurry(flight.id, request.caller == nil ? .foreground : .nested)
        }
        while let plan = nextFetch(at: now) {
            if state.isWanted(plan, at: now, within: patience) {
                state.begin(plan, at: now)
                work.starts.append(plan)
            } else {
                queue.end(plan.id)
                work.dropped.append(
                    state.handle(.fail(plan, CacheError(.timedOut), .retryable()), at: now, jitter: jitter)
                )
            }
        }
        return work
    }

    private mutating func nextFetch(at now: Instant) -> State.FlightPlan? {
        let source = state.source
        return queue.next { source.allowsFetch(beside: $0, at: now) }
    }
}
