import FleetToken
package import Metrics
import ServiceSupport

/// Shows when the keys of each caller's issuer were last fetched; callers have their names in the configuration.
package struct KeySetMetrics: Sendable {
    private struct Labels: MetricLabels {
        let caller: String

        var dimensions: [(String, String)] { [("caller", caller)] }
    }

    private let lastSuccess: MetricFamily<Labels, Meter>

    package init(factory: any MetricsFactory) {
        lastSuccess = MetricFamily("fleet_token_jwks_last_success_timestamp_seconds", factory: factory)
    }

    /// Shows the times of the last fetches, or 0 where there was none, and no other caller's.
    package func show(_ issuers: [JWTAuthenticator.RemoteIssuer]) {
        let times = issuers.map { (Labels(caller: $0.name), Double($0.lastFetch?.seconds ?? 0)) }
        lastSuccess.replace(with: Dictionary(times) { min($0, $1) })
    }
}
