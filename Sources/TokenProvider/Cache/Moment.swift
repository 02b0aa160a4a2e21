package import Foundation

/// A point in time on two clocks, in seconds.
package struct Moment: Hashable, Sendable {
    /// Seconds since a fixed moment, by a clock that continues during sleep and cannot be set.
    package let continuous: TimeInterval
    /// Seconds since 1970, by the device's clock.
    package let wall: TimeInterval

    package init(continuous: TimeInterval, wall: TimeInterval) {
        self.continuous = continuous
        self.wall = wall
    }

    /// Returns the time since `earlier`: the longer of the two clocks' differences.
    ///
    /// A clock that stopped or was set back can't make a token look younger than it is. A clock that was set forward makes
    /// it look older, which costs one fetch.
    func age(since earlier: Moment) -> TimeInterval {
        max(continuous - earlier.continuous, wall - earlier.wall)
    }
}
