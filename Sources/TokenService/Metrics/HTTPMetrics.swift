import Metrics
import ServiceSupport

/// Times, and so counts, all requests that got a response, on both listeners.
struct HTTPMetrics {
    private struct Labels: MetricLabels {
        let route: RouteLabel
        let status: Int

        var dimensions: [(String, String)] { [("route", route.rawValue), ("status", "\(status)")] }
    }

    private let durations: MetricFamily<Labels, Timer>

    init(factory: any MetricsFactory) {
        durations = MetricFamily("http_server_request_duration_seconds", factory: factory)
    }

    /// Counts a response; its duration is that from the request head to the end of the response.
    func count(_ status: Int, at route: RouteLabel, after duration: Duration) {
        durations[Labels(route: route, status: status)].record(duration: duration)
    }
}
