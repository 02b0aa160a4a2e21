import FleetToken
import TokenIssuance

extension CallerLimits {
    /// Creates the limits of a configuration.
    ///
    /// Counters with the same rate are kept, because a reload must not refill the buckets.
    convenience init(
        _ configuration: ProductionConfiguration,
        _ shared: SharedResources,
        replacing previous: LoadedService?
    ) {
        let limits = configuration.limits
        let (known, inUse) = (previous?.configuration.limits, previous?.issuer.limits)
        func limit(
            _ name: String,
            _ rate: KeyPath<LimitsConfiguration, LimitsConfiguration.Rate>,
            inUse: RateLimiter?
        ) -> RateLimiter {
            let value = limits[keyPath: rate]
            if let inUse, known?[keyPath: rate] == value { return inUse }
            // As the log names it.
            let text = "limits.\(name): {perMinute: \(Int(value.perMinute)), burst: \(Int(value.burst))}"
            return RateLimiter(value, setting: text)
        }
        self.init(
            users: limit("perUser", \.perUser, inUse: inUse?.users),
            clients: limit("perClient", \.perClient, inUse: inUse?.clients),
            addresses: limit("failuresPerAddress", \.failuresPerAddress, inUse: inUse?.addresses),
            clock: shared.clock
        )
    }
}
