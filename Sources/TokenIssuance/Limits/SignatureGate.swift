import FleetToken
import Synchronization

/// Limits signatures in progress and waiting, so that overload is refused early and cheaply.
///
/// A burst may wait, because it ends soon. A queue that has not been empty for a while is not a burst: then only a few
/// may wait, so that accepted requests get a token soon, and throughput is unchanged. This lasts until no request was
/// refused for a tenth of a second: a queue that is briefly empty because the service was delayed elsewhere does not
/// end an overload.
package final class SignatureGate: Sendable {
    /// How long a queue may be non-empty and still count as a burst, in nanoseconds.
    static let patience: Int64 = 100_000_000
    /// How long no request may be refused before bursts are allowed again, in nanoseconds.
    static let calm: Int64 = 100_000_000

    private let maximum: Int
    private let lastingMaximum: Int
    private let parallel: Int
    private let clock: @Sendable () -> Int64
    private let count = Atomic<Int>(0)
    /// When a request last found no other waiting.
    private let emptyAt: Atomic<Int64>
    /// When one was last refused.
    private let refusedAt: Atomic<Int64>

    /// Creates a gate.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number in progress and waiting in a burst.
    ///   - lastingMaximum: The maximum number under sustained load; nil for the same.
    ///   - parallel: The number of parallel signatures, which do not wait.
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

    /// Runs a signature, unless the limit is reached.
    ///
    /// - Throws: ``TokenError`` with reason ``TokenError/Reason/overloaded``, or the body's error.
    func pass<Result>(_ body: () async throws -> Result) async throws -> Result {
        let (before, _) = count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        guard isOpen(before) else {
            throw TokenError(.overloaded, "The service is overloaded. Retry later.", retryAfter: 1)
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
