package import Foundation

/// The clocks, timers and randomness of a provider.
package struct ProviderClock: Sendable {
    /// Returns the current time.
    package let now: @Sendable () -> Moment
    /// Runs an action once, after a number of seconds, unless the returned function is called first.
    package let timer: @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> @Sendable () -> Void
    /// Returns a number between 0 and 1.
    package let random: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Moment,
        timer: @escaping @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> @Sendable () -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.timer = timer
        self.random = random
    }

    private static let start = ContinuousClock.now

    package static let system = ProviderClock(
        now: { Moment(continuous: (ContinuousClock.now - start).seconds, wall: Date().timeIntervalSince1970) },
        timer: { seconds, action in
            let task = Task.detached {
                try await Task.sleep(for: .seconds(seconds), clock: .continuous)
                action()
            }
            return { task.cancel() }
        },
        random: { .random(in: 0..<1) }
    )
}

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

extension Duration {
    fileprivate var seconds: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}
