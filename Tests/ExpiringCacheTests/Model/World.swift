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
        let origin: Instant
        let generation: Int
        var isAbandoned = false
    }

    struct Caller {
        /// How long it needs values to live, in nanoseconds.
        let needed: Int64
        var wait: (key: Int, waiter: WaiterID)?
    }

    /// What a key's failures demand, worked out independently.
    struct Penalty {
        var failures = 0
        var rejections = 0
        var pausedUntil = Int64.min
        var deniedUntil = Int64.min
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

    let keys: Range<Int>
    let capacity: Int
    /// Whether failures of all keys fit into the machine's memory; if not, a key's backoff may be forgotten.
    var remembersFailures: Bool { capacity >= keys.count }

    var state: State
    var now = Instant(continuous: 1_000 * second, wall: 1_000_000 * second)
    var fetches: [Fetch] = []
    var callers: [Caller]
    var penalties: [Penalty]
    /// How many times everything was removed.
    var generation = 0

    init(keys: Int, capacity: Int) {
        var configuration = CacheConfiguration()
        configuration.capacity = capacity
        configuration.minimumRemaining = 10
        configuration.refreshAhead = 20
        configuration.backoff = 2...8
        configuration.denialLifetime = 5
        configuration.maximumAbandonedFetches = Self.maximumAbandoned
        self.keys = 0..<keys
        self.capacity = capacity
        state = State(configuration)
        penalties = Array(repeating: Penalty(), count: keys)
        // Two who take what there is, and one who needs values that are nearly new.
        callers = [Caller(needed: 0), Caller(needed: 0), Caller(needed: 85 * Self.second)]
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
