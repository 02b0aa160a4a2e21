import ExpiringCache

extension CacheConfiguration {
    /// For what is fetched from Google.
    static var google: Self {
        var configuration = Self()
        configuration.capacity = 100
        configuration.fetchTimeout = 5
        // Whoever waits does so for a fetch, and that one ends.
        configuration.callTimeout = .infinity
        configuration.maximumRetryAfter = 300
        return configuration
    }
}
