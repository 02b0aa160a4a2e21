import FleetToken
package import ServiceSupport
import Synchronization

/// The origin of refusals that are counted.
enum RefusalOrigin: Hashable, Sendable {
    /// A caller, whose limit it was.
    case caller(Caller.Method, name: String, subject: String)
    /// An address, or an IPv6 network, whose requests fail before authentication.
    case address(String)
    /// All origins beyond the maximum.
    case others
}

/// The number of refusals of one origin for one reason.
struct RefusalSummary: Hashable, Sendable {
    let origin: RefusalOrigin
    /// Why: past a limit, or because of overload.
    let reason: TokenError.Reason
    /// The number of refusals.
    var count: Int
    /// When the first of them was.
    var since: NumericDate
}

/// Counts refusals past a limit or because of overload, by origin, until they are recorded together.
package final class RefusalTally: Sendable {
    /// The maximum number of origins that are counted separately.
    static let maximumOrigins = 1024
    /// The number of refusals of each origin that the access log lists before they are recorded together.
    static let maximumListed = 10

    private struct Key: Hashable {
        let origin: RefusalOrigin
        let reason: TokenError.Reason
    }

    private let counts = Mutex<[Key: (number: Int, since: NumericDate)]>([:])
    private let maximum: Int
    private let clock: ServiceClock

    /// Creates an empty tally; the origins beyond the maximum share one count.
    package init(maximumOrigins: Int = RefusalTally.maximumOrigins, clock: ServiceClock) {
        maximum = maximumOrigins
        self.clock = clock
    }

    /// Counts a refusal.
    ///
    /// - Returns: Whether it is one of the first few of its origin in this period, which are logged individually.
    func add(_ origin: RefusalOrigin, _ reason: TokenError.Reason) -> Bool {
        add(RefusalSummary(origin: origin, reason: reason, count: 1, since: clock.now)) <= Self.maximumListed
    }

    /// Counts refusals, such as those that could not be recorded.
    ///
    /// - Returns: The origin's number of refusals now.
    @discardableResult
    func add(_ summary: RefusalSummary) -> Int {
        counts.withLock { counts in
            var key = Key(origin: summary.origin, reason: summary.reason)
            if counts.count >= maximum, counts[key] == nil { key = Key(origin: .others, reason: summary.reason) }
            let (number, since) = counts[key] ?? (0, summary.since)
            counts[key] = (number + summary.count, min(since, summary.since))
            return number + summary.count
        }
    }

    /// Removes and returns all counts, oldest first.
    func takeAll() -> [RefusalSummary] {
        let counts = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        return counts.map { RefusalSummary(origin: $0.origin, reason: $0.reason, count: $1.number, since: $1.since) }
            .sorted { $0.since < $1.since }
    }
}
