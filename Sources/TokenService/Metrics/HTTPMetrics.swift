import Metrics
import ServiceSupport

/// Counts and times all requests that got a response, on both listeners.
struct HTTPMetrics {
    private struct Labels: MetricLabels {
        let route: RouteLabel
        let method: MethodLabel
        let status: Int

        var dimensions: [(String, String)] {
            [("route", route.rawValue), ("method", method.rawValue), ("status", "\(status)")]
        }
    }

    private struct RouteLabels: MetricLabels {
        let route: RouteLabel

        var dimensions: [(String, String)] { [("route", route.rawValue)] }
    }

    private let requests: MetricFamily<Labels, Counter>
    private let durations: MetricFamily<RouteLabels, Timer>

    init(factory: any MetricsFactory) {
        requests = MetricFamily("http_server_requests_total", factory: factory)
        durations = MetricFamily("http_server_request_duration_seconds", factory: factory)
    }

    /// Counts a response; its duration is that from the request head to the end of the response.
    func count(_ status: Int, of method: MethodLabel, at route: RouteLabel, after duration: Duration) {
        requests[Labels(route: route, method: method, status: status)].increment()
        durations[RouteLabels(route: route)].record(duration: duration)
    }
}
