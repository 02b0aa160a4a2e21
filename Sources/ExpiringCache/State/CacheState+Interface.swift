extension CacheState {
    /// What can happen.
    enum Input: Sendable {
        /// A caller who found nothing wants to wait.
        case request(Request)
        /// A value would be good to have, but nobody waits for it.
        case refresh(Key)
        /// A waiter goes, with this error.
        case leave(Key, WaiterID, any Error)
        /// A fetch brought a value.
        case succeed(FlightPlan, Fetched<Value>)
        /// A fetch failed.
        case fail(FlightPlan, any Error, FetchRetry)
        /// A fetch took too long.
        case giveUp(FlightPlan)
        /// A value came from elsewhere.
        case insert(Key, Fetched<Value>)
        /// The value of this version turned out to be of no use.
        case invalidate(Key, version: UInt64)
        /// A key's value must go, one that is still being fetched too.
        case remove(Key)
        /// All values must go, those that are still being fetched too.
        case removeAll

        /// The fetch that has ended or was given up.
        var endedFlight: FlightID? {
            switch self {
            case .succeed(let plan, _), .fail(let plan, _, _), .giveUp(let plan): plan.id
            default: nil
            }
        }
    }

    /// A caller who wants to wait.
    struct Request: Sendable {
        let key: Key
        let waiter: WaiterID
        /// How long the value must still live, in nanoseconds.
        var needed: Int64 = 0
        /// Whether only a value that is fetched from now on will do.
        var isForced = false
        /// The flight that the caller itself is part of.
        var caller: FlightID?
    }

    /// A fetch to be started, or one that was.
    struct FlightPlan: Identifiable, Sendable {
        let id: FlightID
        let key: Key
        let reason: FetchReason
        let failures: Int
    }

    /// What must be done, once the lock is released.
    struct Effects: Sendable {
        /// Fetches to start.
        var starts: [FlightPlan] = []
        /// Fetches to cancel.
        var cancellations: [FlightID] = []
        /// Waiters to answer; each appears once in its life.
        var answers: [(waiter: WaiterID, result: Result<CacheEntry<Value>, any Error>)] = []
        /// What to tell the observer.
        var events: [CacheEvent<Key>] = []
        /// What is no longer kept: freeing it may run code that isn't ours, which must not happen under the lock.
        var retired: [any Sendable] = []
    }

    /// What an input is handled with.
    struct Turn {
        let now: Instant
        let jitter: Double
        var effects = Effects()
    }
}
