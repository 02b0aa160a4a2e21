import FleetToken
import Logging
import ServiceConfiguration
import ServiceLifecycle
import ServiceSupport
import Synchronization
import Telemetry
import TokenIssuance

/// Buckets in Redis, accessed over one connection.
///
/// A missing or invalid response closes the connection; from then on all calls return immediately as unavailable, until
/// ``run()`` has reconnected. So an outage costs the requests in progress one timeout, and all others nothing.
///
/// It stays through reloads, with its connection and the names of its buckets.
final class RedisRateStore: RateStore, Service {
    /// The maximum number of requests that wait for a reply; further ones are told that the store is unavailable.
    static let maximumWaiting = 512
    /// The fewest bytes of a password: Redis's owner chooses it, and some clouds' are shorter than our own secrets.
    static let minimumPasswordSize = 16

    private struct State {
        /// The connection; nil while Redis is unavailable.
        var connection: RedisConnection?
        var waiting = 0
        /// How often Redis failed since it was last healthy.
        var failures = 0
        /// The last logged reason; nil while Redis is available.
        var failure: RedisFailure?
    }

    private let state = Mutex(State())
    private let settings: LimitsConfiguration.Redis
    private let password: Secret?
    private let clock: ServiceClock
    private let logger: Logger
    /// 1 while limits are kept in Redis, 0 while each replica limits on its own.
    private let up: Gauge
    private let duration: MetricTable<Histogram, RedisResultLabel>

    /// Creates a store that is unavailable until it runs.
    ///
    /// - Parameters:
    ///   - settings: Where Redis is.
    ///   - password: The password; nil if Redis requires none.
    ///   - registry: The registry of its metrics.
    ///   - clock: The time, and the random numbers that spread attempts to connect.
    ///   - logger: Logs when the store becomes unavailable and available again.
    init(
        _ settings: LimitsConfiguration.Redis,
        password: Secret?,
        registry: PrometheusRegistry,
        clock: ServiceClock,
        logger: Logger
    ) {
        self.settings = settings
        self.password = password
        self.clock = clock
        self.logger = logger
        up = registry.series(
            "fleet_token_redis_up",
            help: "1 while rate limits are shared through Redis, 0 while this replica uses local limits."
        )
        duration = MetricTable(
            "fleet_token_redis_duration_seconds",
            help: "Duration of Redis calls, by result.",
            in: registry
        )
        for result in RedisResultLabel.allCases { _ = duration[result] }
    }

    /// Returns a rate limit with buckets in Redis.
    func limit(_ rate: LimitsConfiguration.Rate, for purpose: SharedRate.Purpose, _ setting: String) -> RateLimit {
        let shared = SharedRate(rate, for: purpose, prefix: settings.prefix, secret: password, in: self)
        return RateLimit(RateLimiter(rate), setting: setting, shared: shared)
    }

    func take(_ bucket: RateBucket) async -> RateResult {
        let available = state.withLock { state -> RedisConnection? in
            guard let connection = state.connection, state.waiting < Self.maximumWaiting else { return nil }
            state.waiting += 1
            return connection
        }
        guard let connection = available else { return .unavailable }
        defer { state.withLock { $0.waiting -= 1 } }
        do throws(RedisFailure) {
            return try await take(bucket, over: connection)
        } catch {
            disconnected(connection, error)
            return .unavailable
        }
    }

    /// Connects, and checks the connection each second until shutdown, so that a dead one is detected before a request
    /// waits for it.
    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            var isFirst = true
            while !Task.isCancelled {
                await probe(isFirst: isFirst)
                isFirst = false
                let failures = state.withLock { $0.connection == nil ? $0.failures : 0 }
                let delay = failures == 0 ? .seconds(1) : Self.delay(failures: failures, jitter: clock.random())
                try? await clock.sleep(for: delay)
            }
        }
        state.withLock { exchange(&$0.connection, with: nil) }?.close()
    }

    /// Returns the delay before the next attempt to connect, from 250 milliseconds to 5 seconds.
    ///
    /// - Parameters:
    ///   - failures: How often Redis failed since it was last healthy.
    ///   - jitter: A random number from 0 to 1, so that replicas don't all come back at once.
    /// - Returns: The delay.
    static func delay(failures: Int, jitter: Double) -> Duration {
        min(.milliseconds(250) * (1 << min(failures - 1, 16)), .seconds(5)) * (0.8 + 0.4 * jitter)
    }

    private func probe(isFirst: Bool) async {
        let known = state.withLock { $0.connection }
        do throws(RedisFailure) {
            let connection = if let known { known } else { try await RedisConnection(settings, password: password) }
            _ = try await take(.probe(settings), over: connection)
            if known == nil {
                connected(connection, isFirst: isFirst)
            } else {
                state.withLock { $0.failures = 0 }
            }
        } catch {
            disconnected(known, error)
        }
    }

    private func take(_ bucket: RateBucket, over connection: RedisConnection) async throws(RedisFailure) -> RateResult {
        let start = clock.monotonic
        var result = RedisResultLabel.failed
        defer { duration[result].record(clock.duration(since: start)) }
        let taken = try await RateScript.take(bucket, over: connection)
        result = .answered
        return taken
    }

    private func connected(_ connection: RedisConnection, isFirst: Bool) {
        state.withLock { state in
            state.connection = connection
            state.failure = nil
        }
        up.set(1)
        logger.notice(
            isFirst
                ? "Rate limits are shared through Redis." : "Redis is available again: rate limits are shared again."
        )
    }

    private func disconnected(_ connection: RedisConnection?, _ failure: RedisFailure) {
        // Each new reason is logged: a server that returns with another password is a new one.
        let isNews = state.withLock { state in
            // Another request has reported the failure of this connection.
            guard state.connection === connection else { return false }
            defer { state.failure = failure }
            state.connection = nil
            state.failures += 1
            up.set(0)
            return state.failure != failure
        }
        connection?.close()
        guard isNews else { return }
        logger.warning(
            "Redis is unavailable: each replica uses local rate limits until it is available again.",
            metadata: ["error": "\(failure)"]
        )
    }
}

extension RateBucket {
    /// The bucket of health checks.
    static func probe(_ settings: LimitsConfiguration.Redis) -> RateBucket {
        RateBucket(key: "\(settings.prefix)probe", interval: 1, capacity: 1_000)
    }
}

/// Whether Redis replied.
private enum RedisResultLabel: String, MetricLabel {
    case answered
    case failed

    static let labelName = "result"
}
