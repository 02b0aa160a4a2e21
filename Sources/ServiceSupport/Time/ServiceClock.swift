package import FleetToken

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The time and the chance that the service goes by, passed as one value.
///
/// ```
/// let start = clock.monotonic
/// try await clock.sleep(for: .seconds(2) * clock.random())
/// histogram.record(clock.duration(since: start))
/// ```
///
/// There are two clocks in it. ``now`` is the time of day, which is in tokens and on record, and which an operator can set.
/// ``monotonic`` measures durations; it cannot be set, and continues while the machine is suspended. Values that age use
/// both, as ``cache``.
///
/// ``random`` spreads retries. What must be unique or secret, such as IDs and keys, comes from the system's generator
/// instead: no caller can choose it.
package struct ServiceClock: Sendable {
    /// Both clocks, as caches take them.
    package let cache: AgeClock
    private let wait: @Sendable (Duration) async throws -> Void
    /// A random number from 0 up to, but not including, 1.
    package let random: @Sendable () -> Double

    /// Creates a clock, such as one that a test advances; `sleep` throws `CancellationError` if its task is cancelled.
    package init(
        cache: AgeClock,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.cache = cache
        wait = sleep
        self.random = random
    }

    /// The wall clock, rounded down to seconds.
    package var now: NumericDate {
        let (seconds, rest) = cache.wall().quotientAndRemainder(dividingBy: 1_000_000_000)
        return NumericDate(seconds: rest < 0 ? seconds - 1 : seconds)
    }

    /// Why the wall clock cannot be right, and what to do; nil if it can: no token of such a time would be accepted.
    package var problem: String? {
        // From 2020 to 2199.
        (1_577_836_800..<7_258_118_400).contains(now.seconds)
            ? nil : "this machine's clock says \(now.rfc3339). Set it: timedatectl set-ntp true"
    }

    /// The wall clock with its fraction of a second.
    package var date: Date {
        Date(timeIntervalSince1970: Double(cache.wall()) / 1e9)
    }

    /// Nanoseconds since a fixed moment, on the clock that only goes forward.
    package var monotonic: Int64 { cache.continuous() }

    /// Returns the time since an earlier reading of ``monotonic``.
    package func duration(since start: Int64) -> Duration { .nanoseconds(monotonic - start) }

    /// Waits.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func sleep(for duration: Duration) async throws { try await wait(duration) }

    /// The system's clocks and random numbers.
    package static let system = ServiceClock(
        cache: .system,
        sleep: { try await Task.sleep(for: $0) },
        random: { .random(in: 0..<1) }
    )
}
