package import FleetToken

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The service's clocks and random numbers, passed as one value.
///
/// ```
/// let start = clock.monotonic
/// try await clock.sleep(for: .seconds(2) * clock.random())
/// histogram.record(clock.duration(since: start))
/// ```
///
/// There are two clocks in it. ``now`` is the time of day, which is in tokens and on record, and which an operator can set.
/// ``monotonic`` measures durations; it cannot be set, and continues while the machine is suspended. Values that age use
/// both, as ``instant``.
///
/// ``random`` spreads retries. What must be unique or secret, such as IDs and keys, comes from the system's generator
/// instead: no caller can choose it.
package struct ServiceClock: Sendable {
    private let continuous: @Sendable () -> Int64
    /// Returns nanoseconds since 1970, by the wall clock.
    package let wall: @Sendable () -> Int64
    private let wait: @Sendable (Duration) async throws -> Void
    /// A random number from 0 up to, but not including, 1.
    package let random: @Sendable () -> Double

    /// Creates a clock, such as one that a test advances.
    ///
    /// - Parameters:
    ///   - continuous: Returns nanoseconds since a fixed moment; never goes back, and continues during sleep.
    ///   - wall: Returns nanoseconds since 1970.
    ///   - sleep: Throws `CancellationError` if its task is cancelled.
    ///   - random: Returns a number from 0 up to, but not including, 1.
    package init(
        continuous: @escaping @Sendable () -> Int64,
        wall: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.continuous = continuous
        self.wall = wall
        wait = sleep
        self.random = random
    }

    /// The wall clock, rounded down to seconds.
    package var now: NumericDate {
        let (seconds, rest) = wall().quotientAndRemainder(dividingBy: 1_000_000_000)
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
        Date(timeIntervalSince1970: Double(wall()) / 1e9)
    }

    /// Nanoseconds since a fixed moment, on the clock that only goes forward.
    package var monotonic: Int64 { continuous() }

    /// The time on both clocks.
    package var instant: Instant { Instant(continuous: continuous(), wall: wall()) }

    /// Returns the time since an earlier reading of ``monotonic``.
    package func duration(since start: Int64) -> Duration { .nanoseconds(monotonic - start) }

    /// Waits.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func sleep(for duration: Duration) async throws { try await wait(duration) }

    /// The system's clocks and random numbers.
    package static let system = ServiceClock(
        continuous: { nanoseconds(continuousClock) },
        wall: { nanoseconds(CLOCK_REALTIME) },
        sleep: { try await Task.sleep(for: $0) },
        random: { .random(in: 0..<1) }
    )

    #if canImport(Darwin)
    // On Darwin, CLOCK_UPTIME_RAW stops during sleep; this clock continues.
    private static let continuousClock = CLOCK_MONOTONIC_RAW
    #else
    // On Linux, CLOCK_MONOTONIC stops during suspend.
    private static let continuousClock = CLOCK_BOOTTIME
    #endif

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // It fails only for a clock that doesn't exist.
        clock_gettime(clock, &time)
        return time.nanoseconds
    }
}
