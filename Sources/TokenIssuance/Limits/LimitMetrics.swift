import Synchronization
import Telemetry

/// The metrics of rate limits.
package final class LimitMetrics: Sendable {
    /// How many callers have a counter of their own; names come from the configuration.
    static let maximumNames = 256

    private let counters = Mutex<[String: Counter]>([:])
    private let limited: @Sendable ([(name: String, value: String)]) -> Counter
    private let addresses: Counter

    /// Creates the metrics and declares them in a registry.
    init(registry: PrometheusRegistry) {
        limited = registry.family(
            "fleet_token_ratelimited_total",
            help: "Rate-limited requests, by the limit: of a caller, or of an address before authentication."
        )
        addresses = limited([("caller", "none"), ("scope", "address")])
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
}
