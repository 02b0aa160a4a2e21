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

extension Duration {
    fileprivate var seconds: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}
