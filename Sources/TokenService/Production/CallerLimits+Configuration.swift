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
        func limit(_ setting: RateSetting, for purpose: SharedRate.Purpose, inUse: RateLimit?) -> RateLimit {
            let rate = setting.rate(in: limits)
            if let inUse, known.map(setting.rate) == rate { return inUse }
            let text = setting.text(rate)
            return redis?.limit(rate, for: purpose, text) ?? RateLimit(RateLimiter(rate), setting: text)
        }
        let strangers = known?.unauthenticated == limits.unauthenticated ? inUse?.strangers : nil
        self.init(
            callers: limit(.person, for: .caller, inUse: inUse?.callers),
            machines: limit(.machine, for: .caller, inUse: inUse?.machines),
            addresses: limit(.unauthenticated, for: .address, inUse: inUse?.addresses),
            verifications: inUse?.verifications ?? RateLimiter(CallerLimits.verificationRate),
            strangers: strangers ?? StrangerBudget(address: limits.unauthenticated),
            tally: shared.tally,
            metrics: shared.metrics.issuance.limits,
            clock: shared.clock
        )
    }
}

private enum RateSetting: String {
    case person
    case machine
    case unauthenticated

    /// Returns its value.
    func rate(in limits: LimitsConfiguration) -> LimitsConfiguration.Rate {
        switch self {
        case .person: limits.person
        case .machine: limits.machine
        case .unauthenticated: limits.unauthenticated
        }
    }

    /// Returns the setting and its values, as the log names them.
    func text(_ rate: LimitsConfiguration.Rate) -> String {
        "limits.\(rawValue): {perMinute: \(Int(rate.perMinute)), burst: \(Int(rate.burst))}"
    }
}
