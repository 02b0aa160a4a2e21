#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The two clocks that determine a value's age.
///
/// The age is the longer of the two differences. The continuous clock normally decides, because it cannot be set. The
/// wall clock covers time that the other may miss: a device that was restored from a snapshot, or a system whose
/// "continuous" clock stops during sleep.
public struct AgeClock: Sendable {
    /// Returns nanoseconds since a fixed moment; never goes back, and continues during sleep.
    public let continuous: @Sendable () -> Int64
    /// Returns nanoseconds since 1970, by the system's wall clock.
    public let wall: @Sendable () -> Int64

    /// Creates a clock from two functions.
    ///
    /// They are called for each look-up and from any thread, so they must be quick.
    public init(continuous: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64) {
        self.continuous = continuous
        self.wall = wall
    }

    /// The current time.
    @inlinable
    public var now: Instant {
        Instant(continuous: continuous(), wall: wall())
    }
}

extension AgeClock {
    /// The system's clocks.
    public static let system = AgeClock(
        continuous: { nanoseconds(continuousClock) },
        wall: { nanoseconds(CLOCK_REALTIME) }
    )

    #if canImport(Darwin)
    // On Darwin, CLOCK_UPTIME_RAW stops during sleep; this clock continues.
    private static let continuousClock = CLOCK_MONOTONIC_RAW
    #else
    // On Linux, CLOCK_MONOTONIC stops during suspend.
    private static let continuousClock = CLOCK_BOOTTIME
    #endif

    /// Returns a clock's nanoseconds; those of the year 2262 for a later one, which 64 bits cannot hold.
    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // It fails only for a clock that doesn't exist.
        clock_gettime(clock, &time)
        return min(Int64(time.tv_sec), .max / 1_000_000_000 - 1) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// A point in time on both clocks, in nanoseconds.
public struct Instant: Hashable, Sendable {
    /// The reading of the clock that never goes back.
    public let continuous: Int64
    /// The reading of the wall clock.
    public let wall: Int64

    /// Creates a point in time from the readings of both clocks.
    @inlinable
    public init(continuous: Int64, wall: Int64) {
        self.continuous = continuous
        self.wall = wall
    }

    /// Returns the time since `earlier`, in nanoseconds: the longer of the two clocks' differences.
    ///
    /// A clock that stopped or was set back can't make a value look younger than it is. A clock that was set forward
    /// makes it look older, which costs one fetch. A difference beyond 292 years wraps, and does not trap.
    @inlinable
    public func age(since earlier: Instant) -> Int64 {
        max(continuous &- earlier.continuous, wall &- earlier.wall)
    }

    /// Returns whether the wall clock was set back since `earlier`: a token with its `iat` would come from the future.
    public func isBefore(_ earlier: Instant) -> Bool {
        wall < earlier.wall
    }
}
