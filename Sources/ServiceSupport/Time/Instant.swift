/// A point in time on both clocks, in nanoseconds, from which a value's age is counted.
///
/// The clock that only goes forward normally decides, because it cannot be set. The wall clock covers time that the other
/// may miss, such as that before a virtual machine was restored from a snapshot.
package struct Instant: Hashable, Sendable {
    /// The reading of the clock that never goes back.
    package let continuous: Int64
    /// The reading of the wall clock.
    package let wall: Int64

    /// Creates a point in time from the readings of both clocks.
    package init(continuous: Int64, wall: Int64) {
        self.continuous = continuous
        self.wall = wall
    }

    /// Returns the time since `earlier`: the longer of the two clocks' differences.
    ///
    /// A clock that stopped or was set back can't make a value look younger than it is. A clock that was set forward
    /// makes it look older, which costs one fetch. A difference beyond 292 years wraps, and does not trap.
    package func age(since earlier: Instant) -> Duration {
        .nanoseconds(max(continuous &- earlier.continuous, wall &- earlier.wall))
    }

    /// Returns whether the wall clock was set back since `earlier`: a token with its `iat` would come from the future.
    package func isBefore(_ earlier: Instant) -> Bool {
        wall < earlier.wall
    }
}
