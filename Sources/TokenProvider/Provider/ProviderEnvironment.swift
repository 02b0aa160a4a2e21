package import ExpiringCache

/// The external dependencies of a provider: clocks, timers and randomness.
package struct ProviderEnvironment: Sendable {
    package var clock: CacheClock
    package var scheduler: CacheScheduler
    package var random: @Sendable () -> Double

    package init(
        clock: CacheClock = .system,
        scheduler: CacheScheduler = .system,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.clock = clock
        self.scheduler = scheduler
        self.random = random
    }

    package static let system = ProviderEnvironment()
}
