import FleetToken
package import ServiceSupport
import Synchronization

/// Where refusals that are counted came from.
enum RefusedParty: Hashable, Sendable {
    /// A caller, whose limit it was.
    case caller(Caller.Method, name: String, subject: String)
    /// An address, or an IPv6 network, whose requests fail before authentication.
    case address(String)
    /// All those for which there was no place.
    case others

    /// Creates the party of an authenticated caller.
    init(_ caller: Caller) {
        self = .caller(caller.method, name: caller.name, subject: caller.subject)
    }
}

/// Refusals of one party for one reason.
struct RefusalSummary: Hashable, Sendable {
    /// Where they came from.
    let party: RefusedParty
    /// Why: past a limit, or because of overload.
    let reason: TokenError.Reason
    /// How many they are.
    var count: Int
    /// When the first of them was.
    var since: NumericDate

    /// Adds others, and returns how many there are now.
    fileprivate mutating func add(_ others: Self) -> Int {
        count += others.count
        since = min(since, others.since)
        return count
    }
}

/// Counts refusals past a limit or because of overload, by where they came from, until they are put on record together.
package final class RefusalTally: Sendable {
    /// The maximum number of parties that are counted separately.
    static let maximumParties = 1024
    /// How many refusals of each party the access log lists before they are put on record together.
    static let maximumListed = 10

    private struct Key: Hashable {
        let party: RefusedParty
        let reason: TokenError.Reason
    }

    private let counts = Mutex<[Key: RefusalSummary]>([:])
    private let maximum: Int
    private let clock: ServiceClock

    /// Creates an empty tally.
    ///
    /// - Parameters:
    ///   - maximumParties: The maximum number of parties; all others share one count.
    ///   - clock: The time.
    package init(maximumParties: Int = RefusalTally.maximumParties, clock: ServiceClock) {
        maximum = maximumParties
        self.clock = clock
    }

    /// Counts a refusal.
    ///
    /// - Returns: Whether it is one of the first few of its party in this period, which are logged individually.
    func add(_ party: RefusedParty, _ reason: TokenError.Reason) -> Bool {
        add(RefusalSummary(party: party, reason: reason, count: 1, since: clock.now)) <= Self.maximumListed
    }

    /// Counts refusals, such as those that could not be put on record.
    ///
    /// - Returns: How many of the party there are now.
    @discardableResult
    func add(_ summary: RefusalSummary) -> Int {
        counts.withLock { counts in
            var key = Key(party: summary.party, reason: summary.reason)
            if counts.count >= maximum, counts[key] == nil { key = Key(party: .others, reason: summary.reason) }
            let none = RefusalSummary(party: key.party, reason: key.reason, count: 0, since: summary.since)
            return counts[key, default: none].add(summary)
        }
    }

    /// Removes and returns all counts, oldest first.
    func takeAll() -> [RefusalSummary] {
        let counts = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        return counts.values.sorted { $0.since < $1.since }
    }
}
