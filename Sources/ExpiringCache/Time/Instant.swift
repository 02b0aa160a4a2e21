/// A moment, as both clocks show it, in nanoseconds.
@usableFromInline
package struct Instant: Hashable, Sendable {
    @usableFromInline
    let continuous: Int64
    @usableFromInline
    let wall: Int64

    @inlinable
    package init(continuous: Int64, wall: Int64) {
        self.continuous = continuous
        self.wall = wall
    }

    /// How long ago `earlier` was, in nanoseconds: the longer of what the two clocks say.
    ///
    /// A clock that stood still or was set back can't make a value look younger than it is. One that was set forward
    /// makes it look older, which costs one fetch. A difference beyond 292 years wraps, and does not trap.
    @inlinable
    package func age(since earlier: Instant) -> Int64 {
        max(continuous &- earlier.continuous, wall &- earlier.wall)
    }

    /// Whether the wall clock shows an earlier time than it did then: it was set back.
    ///
    /// It doesn't make a value older. But one that says when it was made, such as a token with its `iat`, would seem to
    /// come from the future.
    package func isBefore(_ earlier: Instant) -> Bool {
        wall < earlier.wall
    }
}
