package import Timing

/// The external dependencies of a provider: clocks, timers and randomness.
package struct ProviderEnvironment: Sendable {
    package var clock: AgeClock
    package var scheduler: Scheduler
    package var random: @Sendable () -> Double

    package init(
        clock: AgeClock = .system,
        scheduler: Scheduler = .system,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.clock = clock
        self.scheduler = scheduler
        self.random = random
    }

    package static let system = ProviderEnvironment()
}
