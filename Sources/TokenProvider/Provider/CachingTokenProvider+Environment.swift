import ExpiringCache

extension CachingTokenProvider {
    /// What a provider takes from the world: clocks, timers and chance.
    struct Environment: Sendable {
        var clock = CacheClock.system
        var scheduler = CacheScheduler.system
        var random: @Sendable () -> Double = { .random(in: 0..<1) }

        static let system = Environment()
    }
}
