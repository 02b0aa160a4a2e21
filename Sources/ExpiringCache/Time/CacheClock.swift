#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The two clocks that a value's age is taken from.
///
/// The age is the longer of the two differences. The continuous clock decides as a rule: nobody can set it. The wall
/// clock catches what the other may miss: a device that was restored from a snapshot, or a system whose "continuous"
/// clock stops while it sleeps.
public struct CacheClock: Sendable {
    /// Nanoseconds since some fixed moment; never goes back, and goes on while the system sleeps.
    public let continuous: @Sendable () -> Int64
    /// Nanoseconds since 1970, as the system believes.
    public let wall: @Sendable () -> Int64

    /// Makes a clock from two functions.
    ///
    /// They are called for each look-up and from any thread, so they must be quick.
    public init(continuous: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64) {
        self.continuous = continuous
        self.wall = wall
    }

    /// This moment.
    @inlinable
    package var now: Instant {
        Instant(continuous: continuous(), wall: wall())
    }
}

extension CacheClock {
    /// The system's clocks.
    public static let system = CacheClock(
        continuous: { nanoseconds(continuousClock) },
        wall: { nanoseconds(wallClock) }
    )

    #if canImport(Darwin)
    // On Darwin it is CLOCK_UPTIME_RAW that stops during sleep; this one goes on.
    private static let continuousClock = CLOCK_MONOTONIC_RAW
    private static let wallClock = CLOCK_REALTIME
    #else
    // On Linux CLOCK_MONOTONIC stops during suspend.
    private static let continuousClock = CLOCK_BOOTTIME
    // Some milliseconds of error don't matter here, and it is read in a fifth of the time.
    private static let wallClock = CLOCK_REALTIME_COARSE
    #endif

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // It fails only for a clock that doesn't exist.
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
