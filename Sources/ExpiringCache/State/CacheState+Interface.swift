extension CacheState {
    /// What can happen.
    ///
    /// A jitter is a random number between 0 and 1.
    enum Input: Sendable {
        /// A caller who found nothing wants to wait.
        case request(Request)
        /// A value would be good to have, but nobody waits for it.
        case refresh(Key)
        /// A waiter goes, with this error.
        case leave(Key, WaiterID, any Error)
        /// A fetch ended.
        case finish(FlightPlan, Result<Fetched<Value>, any Error>, jitter: Double)
        /// A fetch took too long.
        case giveUp(FlightPlan, jitter: Double)
        /// A value came from elsewhere.
        case insert(Key, Fetched<Value>, jitter: Double)
        /// The value of this version turned out to be of no use.
        case invalidate(Key, version: UInt64, jitter: Double)
        /// All values must go, those that are still being fetched too.
        case removeAll
    }

    /// A caller who wants to wait.
    struct Request: Sendable {
        let key: Key
        let waiter: WaiterID
        /// How long the value must still live, in nanoseconds.
        var needed: Int64 = 0
        /// The flight that the caller itself is part of.
        var caller: FlightID?
    }

    /// A fetch to be started, or one that was.
    struct FlightPlan: Sendable {
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
        var answers: [(waiter: WaiterID, result: Result<Value, any Error>)] = []
        /// What to tell the observer.
        var events: [CacheEvent<Key>] = []
        /// Values that are no longer kept: freeing them may run code that isn't ours.
        var retired: [CacheEntry<Value>] = []
    }
}
