import FleetToken
import Synchronization

/// Bounds the signatures under way and waiting, so that overload is refused early and cheaply.
///
/// A burst may wait, for it is soon over. When the queue has not been empty for a while it is no burst: then only few
/// may wait, so that whoever is let in has a token soon, and as many are signed as before. It stays so until nobody had
/// to be refused for a tenth of a second: a queue that empties for a moment, since something else held the service up,
/// ends no overload.
package final class SignatureGate: Sendable {
    /// How long a queue may take to become empty before it is no burst, in nanoseconds.
    static let patience: Int64 = 100_000_000
    /// How long nobody may have been refused before there can be a burst again, in nanoseconds.
    static let calm: Int64 = 100_000_000

    private let maximum: Int
    private let lastingMaximum: Int
    private let parallel: Int
    private let clock: @Sendable () -> Int64
    private let count = Atomic<Int>(0)
    /// When one last found nobody waiting.
    private let emptyAt: Atomic<Int64>
    /// When one was last refused.
    private let refusedAt: Atomic<Int64>

    /// A gate.
    ///
    /// - Parameters:
    ///   - maximum: How many may be under way and waiting in a burst.
    ///   - lastingMaximum: How many may be when it is no burst; nil for no fewer.
    ///   - parallel: How many are made at once: those wait for nobody.
    ///   - clock: A clock that only goes forward, in nanoseconds.
    package init(
        maximum: Int,
        lastingMaximum: Int? = nil,
        parallel: Int = 1,
        clock: @escaping @Sendable () -> Int64 = MonotonicClock.nanoseconds
    ) {
        self.maximum = maximum
        self.lastingMaximum = min(lastingMaximum ?? maximum, maximum)
        self.parallel = parallel
        self.clock = clock
        let now = clock()
        emptyAt = Atomic(now)
        refusedAt = Atomic(now - Self.calm)
    }

    /// Runs a signature, if it is not one too many.
    ///
    /// - Throws: ``TokenError`` with reason ``TokenError/Reason/overloaded``, or what the body throws.
    func pass<Result>(_ body: () async throws -> Result) async throws -> Result {
        let (before, _) = count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        guard isOpen(before) else {
            throw TokenError(.overloaded, "The service has more to sign than it can. Try again.", retryAfter: 1)
        }
        return try await body()
    }

    private func isOpen(_ before: Int) -> Bool {
        if before < parallel { emptyAt.store(clock(), ordering: .relaxed) }
        guard before >= lastingMaximum else { return true }
        let now = clock()
        let isBurst =
            now - emptyAt.load(ordering: .relaxed) < Self.patience
            && now - refusedAt.load(ordering: .relaxed) >= Self.calm
        guard isBurst, before < maximum else {
            refusedAt.store(now, ordering: .relaxed)
            return false
        }
        return true
    }
}
