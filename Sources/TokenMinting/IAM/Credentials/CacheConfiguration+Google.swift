import ExpiringCache

extension CacheConfiguration {
    /// The configuration for values that are fetched from Google.
    static var google: Self {
        var configuration = Self()
        configuration.capacity = 100
        configuration.fetchTimeout = 5
        // Callers wait for a fetch, which is bounded by itself.
        configuration.callTimeout = .infinity
        configuration.maximumRetryAfter = 300
        return configuration
    }
}
