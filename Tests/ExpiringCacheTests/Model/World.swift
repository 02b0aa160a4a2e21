import Timing

@testable import ExpiringCache

/// The machine together with all that it doesn't know: its callers, the fetches that run for it, the time, and what the
/// invariants need to be judged from outside.
struct World {
    typealias State = CacheState<Int, Ghost>

    /// A value that remembers where it came from.
    struct Ghost: Sendable {
        let key: Int
        let origin: Instant
        let lifetime: Int64
        let generation: Int
    }

    struct Fetch {
        let plan: State.FlightPlan
        var origin: Instant
        let generation: Int
        var isRepeat = false
        /// Whether it waits for its turn: nothing was sent for it.
        var isQueued = false
        /// How many times the source had failed when it began.
        var sourceFailures = 0
        var isAbandoned = false
        /// Until when it counts against the bound, once it is abandoned.
        var countsUntil = Int64.min
    }

    struct Caller {
        /// How long it needs values to live, in nanoseconds.
        let needed: Int64
        var wait: (key: Int, waiter: WaiterID)?
    }

    /// What a key's failures demand, worked out independently.
    struct Penalty {
        var failures = 0
        var denials = 0
        var rejections = 0
        /// For the source's sake.
        var pausedUntil = Int64.min
        /// For the sake of the user who is signed in.
        var deniedUntil = Int64.min
        /// Denials that were ended by a sign-out, since the last value.
        var denialResets = 0
        /// Fetches in a row that brought less than some caller needed, and what the last of them brought.
        var shortfalls = 0
        var longest = Int64.max
        var shortUntil = Int64.min
    }

    /// What failures of the source itself demand of all keys, worked out independently.
    struct SourcePenalty {
        /// All failures, of which those of fetches that ran at the same time count once for the pause.
        var total = 0
        var consecutive = 0
        var pausedUntil = Int64.min
        /// Until when a failure says that the source has not recovered.
        var recovered = Int64.min
        /// How many fetches that began since the last failure may run at once; nil for no limit.
        var limit: Int?
        /// The keys that failed for the source's sake and have not succeeded since.
        var suspects: Set<Int> = []
        /// Those of them that failed last before another key succeeded.
        var isolated: Set<Int> = []
        /// The key whose fetch was limited last, if none has succeeded since.
        var limitedKey: Int?
    }

    static let second: Int64 = 1_000_000_000
    static let day = 86_400 * second
    static let lifetime = 100 * second
    /// How long before its end a value isn't handed out any more.
    static let reserve = 10 * second
    static let retryAfter = 20 * second
    static let denial = 5 * second
    static let backoff = (first: 2 * second, longest: 8 * second)
    static let maximumAbandoned = 2
    static let abandonment = 30 * second
    /// A fetch that is older was not given up in time: the process was stopped.
    static let longestFetch = 20 * second

    let keys: Range<Int>
    let capacity: Int
    /// Whether failures of all keys fit into the machine's memory; if not, a key's backoff may be forgotten.
    var remembersFailures: Bool { capacity >= keys.count }

    var state: State
    var now = Instant(continuous: 1_000 * second, wall: 1_000_000 * second)
    var fetches: [Fetch] = []
    var callers: [Caller]
    var penalties: [Penalty]
    var sourcePenalty = SourcePenalty()
    /// How many times each key, or everything, was removed.
    var generations: [Int]
    /// What is wrong with the machine, in a test of these tests.
    let fault: Fault?

    /// A world whose third caller needs values to live for `demand` seconds.
    init(keys: Int, capacity: Int, demand: Int64 = 85, fault: Fault? = nil) {
        var configuration = CacheConfiguration()
        configuration.capacity = capacity
        configuration.fetchTimeout = 10
        configuration.abandonedFetchLifetime = 30
        configuration.minimumRemaining = 10
        configuration.refreshAhead = 20
        configuration.backoff = 2...8
        configuration.denialLifetime = 5
        configuration.maximumAbandonedFetches = Self.maximumAbandoned
        self.keys = 0..<keys
        self.capacity = capacity
        self.fault = fault
        fault?.change(&configuration)
        state = State(configuration)
        generations = Array(repeating: 0, count: keys)
        penalties = Array(repeating: Penalty(), count: keys)
        // Two who take what there is, and one who needs values that are nearly new, or more than there is.
        callers = [Caller(needed: 0), Caller(needed: 0), Caller(needed: demand * Self.second)]
    }
}

/// An invariant that doesn't hold.
struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

func require(_ condition: Bool, _ invariant: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(invariant()) }
}
