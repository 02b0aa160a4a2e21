import FleetToken
import Logging
import ServiceConfiguration
import ServiceSupport
import Telemetry
import TokenIssuance

/// The Redis with which the service started.
///
/// It stays through reloads, with its connection and the names of its buckets.
struct RedisLimits: Sendable {
    /// The fewest bytes of a password: Redis's owner chooses it, and some clouds' are shorter than our own secrets.
    static let minimumPasswordSize = 16

    /// The connection, to be run.
    let store: RedisRateStore
    private let prefix: String
    private let password: Secret?

    /// Creates the limits; Redis is used once ``store`` runs.
    init(
        _ settings: LimitsConfiguration.Redis,
        password: Secret?,
        metrics: RedisMetrics,
        clock: ServiceClock,
        logger: Logger
    ) {
        prefix = settings.prefix
        self.password = password
        store = RedisRateStore(
            prefix: settings.prefix,
            metrics: metrics,
            clock: clock,
            logger: logger
        ) { () throws(RedisFailure) in
            try RedisConnection(settings, password: password)
        }
    }

    /// Returns a rate limit with buckets in Redis.
    func limit(_ rate: LimitsConfiguration.Rate, for purpose: SharedRate.Purpose, _ setting: String) -> RateLimit {
        let shared = SharedRate(rate, for: purpose, prefix: prefix, secret: password, in: store)
        return RateLimit(RateLimiter(rate), setting: setting, shared: shared)
    }
}
