import FleetToken
import TokenIssuance

extension CallerLimits {
    /// Creates the limits of a configuration.
    ///
    /// Counters with the same rate are kept, because a reload must not refill the buckets.
    convenience init(
        _ configuration: ProductionConfiguration,
        _ shared: SharedResources,
        redis: RedisRateStore?,
        replacing previous: LoadedService?
    ) {
        let limits = configuration.limits
        let (known, inUse) = (previous?.configuration.limits, previous?.issuance.limits)
        func limit(
            _ name: String,
            _ rate: KeyPath<LimitsConfiguration, LimitsConfiguration.Rate>,
            for purpose: SharedRate.Purpose,
            inUse: RateLimit?
        ) -> RateLimit {
            let value = limits[keyPath: rate]
            if let inUse, known?[keyPath: rate] == value { return inUse }
            // As the log names it.
            let text = "limits.\(name): {perMinute: \(Int(value.perMinute)), burst: \(Int(value.burst))}"
            return redis?.limit(value, for: purpose, text) ?? RateLimit(RateLimiter(value), setting: text)
        }
        let strangers = known?.unauthenticated == limits.unauthenticated ? inUse?.strangers : nil
        self.init(
            callers: limit("person", \.person, for: .caller, inUse: inUse?.callers),
            machines: limit("machine", \.machine, for: .caller, inUse: inUse?.machines),
            addresses: limit("unauthenticated", \.unauthenticated, for: .address, inUse: inUse?.addresses),
            verifications: inUse?.verifications ?? RateLimiter(CallerLimits.verificationRate),
            strangers: strangers ?? StrangerBudget(address: limits.unauthenticated),
            tally: shared.tally,
            metrics: shared.metrics.issuance.limits,
            clock: shared.clock
        )
    }
}
