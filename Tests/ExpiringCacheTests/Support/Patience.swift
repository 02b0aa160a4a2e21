import ExpiringCache

extension CacheConfiguration {
    /// For tests in real time: a busy machine must not make them fail.
    static let patient: Self = {
        var configuration = Self()
        configuration.fetchTimeout = .infinity
        configuration.callTimeout = .infinity
        return configuration
    }()
}
