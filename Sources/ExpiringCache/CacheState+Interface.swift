import Timing

extension CacheState {
    /// An input of the state machine.
    enum Input: Sendable {
        /// A caller that found no usable value starts to wait.
        case request(Request)
        /// A refresh is requested, and no caller waits for it.
        case refresh(Key)
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
