import Telemetry

/// Metrics of the limits in Redis; they are on the page only where the configuration has Redis.
struct RedisMetrics: Sendable {
    /// 1 while limits are kept in Redis, 0 while each replica limits on its own.
    let up: Gauge
    /// The time that a question to Redis took, which may be for several requests.
    let duration: MetricTable<Histogram, RedisResultLabel>

    /// Creates the metrics and declares them in a registry.
    init(registry: PrometheusRegistry) {
        up = registry.series(
            "fleet_token_redis_up",
            help: "1 while rate limits are shared through Redis, 0 while this replica uses local limits."
        )
        duration = MetricTable(
            "fleet_token_redis_duration_seconds",
            help: "Duration of Redis calls, each for one or more requests, by result.",
            in: registry
        )
        for result in RedisResultLabel.allCases { _ = duration[result] }
    }
}

/// Whether Redis replied.
enum RedisResultLabel: String, MetricLabel {
    case answered
    case failed

    static let labelName = "result"
}
