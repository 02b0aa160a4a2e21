package import ServiceSupport
import Synchronization

/// The metrics of rate limits, and of requests that may not wait for a signature.
package final class LimitMetrics: Sendable {
    /// The maximum number of callers with a counter of their own; names come from the configuration.
    static let maximumNames = 256

    private let counters = Mutex<[String: Counter]>([:])
    private let limited: @Sendable ([(name: String, value: String)]) -> Counter
    private let addresses: Counter
    private let refusals = Mutex<[String: MetricTable<Counter, RefusalCauseLabel>]>([:])
    private let refused: @Sendable ([(name: String, value: String)]) -> Counter

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry) {
        limited = registry.family(
            "fleet_token_ratelimited_total",
            help: "Rate-limited requests, by the limit: of a caller, or of an address before authentication."
        )
        addresses = limited([("caller", "none"), ("scope", "address")])
        refused = registry.family(
            "fleet_token_refused_total",
            help:
                "Requests of authenticated callers that the signing queue refused, by caller and cause: the queue's time or length, or a client that had disconnected."
        )
    }

    /// Counts a request of an address whose requests fail before authentication.
    func limitedAddress() {
        addresses.increment()
    }

    /// Counts a request of an authenticated caller.
    func limitedCaller(_ name: String) {
        let counter = counters.withLock { counters -> Counter? in
            if let known = counters[name] { return known }
            guard counters.count < Self.maximumNames else { return nil }
            let counter = limited([("caller", name), ("scope", "caller")])
            counters[name] = counter
            return counter
        }
        counter?.increment()
    }

    /// Starts a configuration's callers at zero, so that `rate()` sees even the first refusal.
    package func add(_ names: [String]) {
        for name in names { _ = refusals(of: name) }
    }

    /// Counts a request that may not wait.
    func refused(_ caller: String, _ cause: RefusalCauseLabel) { refusals(of: caller)?[cause].increment() }

    private func refusals(of caller: String) -> MetricTable<Counter, RefusalCauseLabel>? {
        refusals.withLock { refusals in
            if let table = refusals[caller] { return table }
            guard refusals.count < Self.maximumNames else { return nil }
            let table = MetricTable<Counter, RefusalCauseLabel> { [refused] in refused([("caller", caller)] + $0) }
            for cause in RefusalCauseLabel.allCases { _ = table[cause] }
            refusals[caller] = table
            return table
        }
    }
}

/// The reason for which an authenticated caller's request may not wait.
enum RefusalCauseLabel: String, MetricLabel {
    case queueDelay = "queue_delay"
    case queueSize = "queue_size"
    /// The client had gone while the request waited.
    case clientGone = "client_gone"

    static let labelName = "cause"
}
