package import ServiceSupport

/// The metrics of rate limits, and of requests that may not wait for a signature.
package struct LimitMetrics: Sendable {
    private let overLimit: CallerCounters<LimitScopeLabel>
    private let overload: CallerCounters<RefusalCauseLabel>

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry) {
        overLimit = CallerCounters(
            "fleet_token_ratelimited_total",
            help: "Rate-limited requests, by the limit: of a caller, or of an address before authentication.",
            label: "caller",
            in: registry
        )
        overload = CallerCounters(
            "fleet_token_refused_total",
            help:
                "Requests of authenticated callers that the signing queue refused, by caller and cause: the queue's time or length, or a client that had disconnected.",
            label: "caller",
            in: registry
        )
        _ = overLimit[nil]?[.address]
    }

    /// Adds a configuration's callers.
    package func add(_ names: [String]) {
        overLimit.add(names)
        overload.add(names, atZero: RefusalCauseLabel.allCases)
    }

    /// Counts a request of a caller over its limit, or of an address whose requests fail before authentication.
    func limited(_ caller: String?) { overLimit[caller]?[caller == nil ? .address : .caller].increment() }

    /// Counts a request that may not wait.
    func refused(_ caller: String, _ cause: RefusalCauseLabel) { overload[caller]?[cause].increment() }
}

/// What has the limit.
enum LimitScopeLabel: String, MetricLabel {
    case address
    case caller

    static let labelName = "scope"
}

/// The reason for which an authenticated caller's request may not wait.
enum RefusalCauseLabel: String, MetricLabel {
    case queueDelay = "queue_delay"
    case queueSize = "queue_size"
    /// The client had gone while the request waited.
    case clientGone = "client_gone"

    static let labelName = "cause"
}
