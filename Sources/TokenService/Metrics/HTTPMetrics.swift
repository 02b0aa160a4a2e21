import Metrics
import ServiceSupport

/// Times, and so counts, all responses of both listeners.
struct HTTPMetrics {
    /// A route's template, never the requested path.
    enum RouteLabel: String, CaseIterable {
        case token = "/token"
        case tokenOfKind = "/token/{kind}"
        case tokenByID = "/token/{kind}/{id}"
        case jwks = "/.well-known/jwks.json"
        case livez = "/livez"
        case readyz = "/readyz"
        case metrics = "/metrics"
        case health = "/health"
        /// Any path that is not a route.
        case other = "_OTHER"

        /// Whether requests for tokens have this route.
        var isForTokens: Bool { self == .token || self == .tokenOfKind || self == .tokenByID }
    }

    private struct Labels: MetricLabels {
        let route: RouteLabel
        let status: Int

        var dimensions: [(String, String)] { [("route", route.rawValue), ("status", "\(status)")] }
    }

    private let durations: MetricFamily<Labels, Timer>

    init(factory: any MetricsFactory) {
        durations = MetricFamily("http_server_request_duration_seconds", factory: factory)
    }

    /// Counts a response; its duration is that from the arrival of the request's head until the response can be sent.
    func count(_ status: Int, at route: RouteLabel, after duration: Duration) {
        durations[Labels(route: route, status: status)].record(duration: duration)
    }
}
