package import FleetToken
import Synchronization

/// Where refusals past a limit came from.
enum RefusedParty: Hashable, Sendable {
    /// A caller, whose limit it was.
    case caller(Caller.Method, name: String, subject: String)
    /// An address, or an IPv6 network, whose requests fail before authentication.
    case address(String)
    /// All those for which there was no place.
    case others
}

/// Refusals past a limit of one party.
struct RefusalSummary: Hashable, Sendable {
    /// Where they came from.
    let party: RefusedParty
    /// How many they are.
    var count: Int
    /// When the first of them was.
    var since: NumericDate
}

/// Counts refusals past a limit, by where they came from, until they are put on record together.
package final class RefusalTally: Sendable {
    /// The maximum number of parties that are counted separately.
    static let maximumParties = 1024
    /// How many refusals of each party the access log lists before they are put on record together.
    static let maximumListed = 10

    private let counts = Mutex<[RefusedParty: RefusalSummary]>([:])
    private let maximum: Int
    private let now: @Sendable () -> NumericDate

    /// Creates an empty tally.
    ///
    /// - Parameters:
    ///   - maximumParties: The maximum number of parties; all others share one count.
    ///   - now: The wall clock.
    package init(maximumParties: Int = RefusalTally.maximumParties, now: @escaping @Sendable () -> NumericDate) {
        maximum = maximumParties
        self.now = now
    }

    /// Counts a refusal.
    ///
    /// - Returns: Whether it is one of the first few of its party in this period, which are logged individually.
    func add(_ party: RefusedParty) -> Bool {
        add(RefusalSummary(party: party, count: 1, since: now())) <= Self.maximumListed
    }

    /// Counts refusals, such as those that could not be put on record.
    ///
    /// - Returns: How many of the party there are now.
    @discardableResult
    func add(_ summary: RefusalSummary) -> Int {
        counts.withLock { counts in
            let isKnown = counts[summary.party] != nil || counts.count < maximum
            let party = isKnown ? summary.party : .others
            var sum = counts[party] ?? RefusalSummary(party: party, count: 0, since: summary.since)
            sum.count += summary.count
            sum.since = min(sum.since, summary.since)
            counts[party] = sum
            return sum.count
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
