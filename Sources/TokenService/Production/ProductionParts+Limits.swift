import Dispatch
import FleetToken
import Logging

extension ProductionParts {
    /// Redis's owner chooses the password, and some clouds' are shorter than our own secrets.
    private static let minimumRedisPasswordSize = 16

    /// The limits, in Redis where the configuration says so.
    mutating func limits(_ configuration: LimitsConfiguration, _ logger: Logger) -> CallerLimits? {
        var callers = RateLimit(RateLimiter(configuration.caller))
        var addresses = RateLimit(RateLimiter(configuration.unauthenticated))
        if let settings = configuration.redis {
            let read = attempt("limits.redis.passwordFile") {
                try settings.passwordFile.map { try SecretFile.read($0, minimumSize: Self.minimumRedisPasswordSize) }
            }
            guard let password = read else { return nil }
            if password == nil, !settings.address.isLoopback {
                warnings.append(
                    "limits.redis: anybody who reaches \(settings.address) can empty the buckets. Set passwordFile, and keep Redis on a private network: the connection is not encrypted."
                )
            }
            let store = RedisRateStore(settings, password, metrics: RedisMetrics(registry: registry), logger: logger)
            redis = store
            let share = { (rate: LimitsConfiguration.Rate, purpose: SharedRate.Purpose) in
                let shared = SharedRate(rate, for: purpose, prefix: settings.prefix, secret: password, in: store)
                return RateLimit(RateLimiter(rate), shared: shared)
            }
            callers = share(configuration.caller, .caller)
            addresses = share(configuration.unauthenticated, .address)
        }
        return CallerLimits(
            callers: callers,
            addresses: addresses,
            metrics: metrics.limits,
            clock: { Int64(clamping: DispatchTime.now().uptimeNanoseconds) }
        )
    }
}

extension RedisRateStore {
    fileprivate convenience init(
        _ settings: LimitsConfiguration.Redis,
        _ password: Secret?,
        metrics: RedisMetrics,
        logger: Logger
    ) {
        self.init(prefix: settings.prefix, metrics: metrics, logger: logger) { () throws(RedisFailure) in
            try RedisConnection(
                to: settings.address,
                user: settings.user,
                password: password,
                timeout: .milliseconds(settings.timeout)
            )
        }
    }
}
