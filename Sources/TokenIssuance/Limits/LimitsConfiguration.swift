package import ServiceSupport

/// How many requests callers may make.
package struct LimitsConfiguration: Sendable, Hashable {
    /// A token bucket's size and the rate at which it fills.
    package struct Rate: Sendable, Hashable {
        /// Requests a minute in the long run.
        package var perMinute: Double
        /// Simultaneous requests.
        package var burst: Double
    }

    /// The rate of each user: the subject of a JWT.
    package var perUser = Rate(perMinute: 600, burst: 100)
    /// The rate of each client, which requests tokens for a fleet: an API key, or a service account.
    package var perClient = Rate(perMinute: 60_000, burst: 5000)
    /// The rate of each address for requests that fail before authentication.
    package var failuresPerAddress = Rate(perMinute: 30, burst: 30)

    /// Creates the default.
    package init() {}
}

// MARK: - Reading

extension LimitsConfiguration {
    /// Creates the limits by reading the settings that are there.
    package init(_ section: ConfigurationSection) {
        self.init()
        if let rate = section["perUser"]?.rate() { perUser = rate }
        if let rate = section["perClient"]?.rate() { perClient = rate }
        if let rate = section["failuresPerAddress"]?.rate() { failuresPerAddress = rate }
    }
}

extension ConfigurationValue {
    fileprivate func rate() -> LimitsConfiguration.Rate? {
        section(such: "{perMinute: 600, burst: 100}") { section in
            let perMinute = section.required("perMinute")?.integer(1...10_000_000)
            let burst = section.required("burst")?.integer(1...1_000_000)
            guard let perMinute, let burst else { return nil }
            return .init(perMinute: Double(perMinute), burst: Double(burst))
        }
    }
}
