import FleetToken
import Logging
import ServiceLifecycle
import ServiceSupport
import Synchronization
package import TokenIssuance

/// Buckets in Redis, accessed over one connection.
///
/// A missing or invalid response closes the connection; from then on all calls return immediately as unavailable, until
/// ``run()`` has reconnected. So an outage costs the requests in progress one timeout, and all others nothing.
///
/// It stays through reloads, with its connection and the names of its buckets.
final class RedisRateStore: Service {
    /// The maximum number of requests that wait for a reply; further ones are told that the store is unavailable.
    static let maximumWaiting = 512
    /// How many checks in a row, one a second, end an outage: a Redis that is slow now and then is one outage in the log.
    private static let recovery = 10

    private struct State {
        /// The connection; nil while Redis is unavailable.
        var connection: RedisConnection?
        var waiting = 0
        /// How often Redis failed since it was last healthy for a second.
        var failures = 0
        /// How many checks in a row a connection has passed.
        var passed = 0
        /// Whether the log says that limits are shared.
        var isAnnounced = false
        /// The logged reasons of the present outage; empty without one.
        var reasons: Set<RedisFailure> = []

        /// Counts a passed check; a new connection is in use from then on.
        ///
        /// - Returns: What to log: that limits are shared for the first time, or that an outage ended.
        mutating func pass(_ checked: RedisConnection, isNew: Bool) -> Logger.Message? {
            guard !isNew else {
                connection = checked
                return exchange(&isAnnounced, with: true) ? nil : "Rate limits are shared through Redis."
            }
            (failures, passed) = (0, passed + 1)
            guard passed >= RedisRateStore.recovery, !reasons.isEmpty else { return nil }
            reasons = []
            return "Redis is available again: rate limits are shared again."
        }

        /// Counts a failure.
        ///
        /// One late reply is no outage: the next connection may be healthy.
        ///
        /// - Returns: Whether to log the reason: at most four of an outage, each once.
        mutating func fail(_ reason: RedisFailure) -> Bool {
            (failures, passed) = (failures + 1, 0)
            return failures > 1 && reasons.count < 4 && reasons.insert(reason).inserted
        }
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
        let shared = SharedRate(rate, for: purpose, secret: password, in: take)
        return RateLimit(RateLimiter(rate), setting: setting, shared: shared)
    }

    @Sendable
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
            while !Task.isCancelled {
                await probe()
                // At random, so that replicas don't all come back at once.
                let isUp = state.withLock { $0.connection != nil }
                try? await clock.sleep(for: isUp ? .seconds(1) : .seconds(0.3 + 0.4 * clock.random()))
            }
        }
        state.withLock { exchange(&$0.connection, with: nil) }?.close()
    }

    private func probe() async {
        let known = state.withLock { $0.connection }
        do throws(RedisFailure) {
            let connection =
                if let known { known } else { try await RedisConnection(settings, password: password) }
            _ = try await take(.probe, over: connection)
            let message = state.withLock { $0.pass(connection, isNew: known == nil) }
            if known == nil { up.set(1) }
            if let message { logger.notice(message) }
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

    private func disconnected(_ connection: RedisConnection?, _ failure: RedisFailure) {
        // A server that returns with another password is a new reason.
        let isNews = state.withLock { state in
            // Another request has reported the failure of this connection.
            guard state.connection === connection else { return false }
            state.connection = nil
            up.set(0)
            return state.fail(failure)
        }
        connection?.close()
        guard isNews else { return }
        logger.warning(
            "Redis is unavailable: each replica uses local rate limits until it is available again.",
            metadata: ["error": "\(failure)"]
        )
    }
}

/// Sends one request to Redis, as the service does, to check whether it responds.
package enum RedisProbe {
    /// The time for connecting and for the reply, longer than the service's, to tell a slow Redis from one that hangs.
    private static let patience = Duration.seconds(2)

    /// Takes a request from a bucket of its own.
    ///
    /// - Returns: Why it could not; nil where it could.
    package static func failure(of settings: LimitsConfiguration.Redis) async -> String? {
        do {
            let password = try settings.password()
            let start = ContinuousClock.now
            let connection = try await RedisConnection(settings, password: password, timeout: patience)
            _ = try await RateScript.take(.probe, over: connection)
            let took = start.duration(to: .now)
            guard took > RedisConnection.timeout * 2 else { return nil }
            return "it took \(Int(took / .milliseconds(1))) milliseconds, and the service waits 500 for each call"
        } catch {
            return "\(OperatorMessage(error))"
        }
    }
}

extension LimitsConfiguration.Redis {
    /// Reads the password; nil where there is none.
    ///
    /// Redis's owner chooses it, and some clouds' are shorter than our own secrets.
    func password() throws -> Secret? { try passwordFile.map { try SecretFile.read($0, minimumSize: 16) } }
}

extension RateBucket {
    /// The bucket of health checks.
    static let probe = RateBucket(key: "\(SharedRate.namespace)probe", interval: 1, capacity: 1_000)
}

/// Whether Redis replied.
private enum RedisResultLabel: String, MetricLabel {
    case answered
    case failed

    static let labelName = "result"
}
