import FleetToken
import ServiceSupport
import Synchronization

/// Limits signatures in progress and waiting, so that overload is refused early and cheaply.
///
/// A burst may wait, because it ends soon. A queue that has not been empty for a while is not a burst: then only so many
/// may wait as are signed within ``wait``, so that accepted requests get a token soon, and throughput is unchanged. This
/// lasts until no request was refused for a tenth of a second: a queue that is briefly empty because the service was
/// delayed elsewhere does not end an overload.
///
/// How many that are follows from the measured pace of the signer in use.
package final class SignatureGate: Sendable {
    /// How long a queue may be non-empty and still count as a burst, in nanoseconds.
    static let patience: Int64 = 100_000_000
    /// How long no request may be refused before bursts are allowed again, in nanoseconds.
    static let calm: Int64 = 100_000_000

    /// How long a signature may wait under sustained load, in nanoseconds.
    static let wait: Int64 = 4_000_000

    private let maximum: Int
    private let pace: SigningPace?
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
    ///   - maximum: The maximum number in progress and waiting in a burst, where each is made alone; as many more as
    ///     several at once are faster.
    ///   - parallel: The number of parallel signatures, which do not wait.
    ///   - pace: How fast they are made; nil to allow bursts that do not end.
    ///   - clock: A clock that only goes forward, in nanoseconds.
    package init(
        maximum: Int,
        parallel: Int = 1,
        pace: SigningPace? = nil,
        clock: @escaping @Sendable () -> Int64 = MonotonicClock.nanoseconds
    ) {
        self.maximum = maximum
        self.parallel = parallel
        self.pace = pace
        self.clock = clock
        let now = clock()
        emptyAt = Atomic(now)
        refusedAt = Atomic(now - Self.calm)
    }

    /// Runs a signature, unless the limit is reached.
    ///
    /// - Throws: ``TokenError`` with reason ``TokenError/Reason/overloaded``, or the body's error.
    func pass<Result>(_ body: () async throws -> Result) async throws -> Result {
        try enter()
        defer { leave() }
        return try await body()
    }

    // Not inlined, so that they are not part of the task's memory.

    @inline(never)
    private func enter() throws {
        let (before, _) = count.add(1, ordering: .relaxed)
        guard isOpen(before) else {
            leave()
            throw TokenError(.overloaded, "The service is overloaded. Retry later.", retryAfter: 1)
        }
    }

    @inline(never)
    private func leave() { count.subtract(1, ordering: .relaxed) }

    private func isOpen(_ before: Int) -> Bool {
        if before < parallel { emptyAt.store(clock(), ordering: .relaxed) }
        let (burst, lasting) = maxima
        guard before >= lasting else { return true }
        let now = clock()
        let isBurst =
            now - emptyAt.load(ordering: .relaxed) < Self.patience
            && now - refusedAt.load(ordering: .relaxed) >= Self.calm
        guard isBurst, before < burst else {
            refusedAt.store(now, ordering: .relaxed)
            return false
        }
        return true
    }

    /// How many may be in progress and waiting, in a burst and under sustained load.
    private var maxima: (burst: Int, lasting: Int) {
        guard let pace else { return (maximum, maximum) }
        let burst = Int(Double(maximum) * pace.speedup)
        return (burst, min(burst, parallel * max(1, Int(Self.wait / pace.nanoseconds))))
    }
}
