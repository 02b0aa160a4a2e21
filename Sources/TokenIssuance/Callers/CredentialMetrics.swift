package import FleetToken
package import Metrics
import ServiceSupport

/// Shows when credentials end.
package struct CredentialMetrics: Sendable {
    private struct Labels: MetricLabels {
        let kind: ExpiringCredential.Kind
        let setting: String

        var dimensions: [(String, String)] { [("credential", kind.rawValue), ("setting", setting)] }
    }

    private let ends: MetricFamily<Labels, Meter>

    package init(factory: any MetricsFactory) {
        ends = MetricFamily("fleet_token_credential_not_after_timestamp_seconds", factory: factory)
    }

    /// Shows when the next credential of each setting ends, or if all have ended, when the last one did.
    ///
    /// A setting may have several, and each of a caller's API keys may be in use until it expires.
    package func show(_ credentials: [ExpiringCredential], at now: NumericDate) {
        let groups = Dictionary(grouping: credentials) { Labels(kind: $0.kind, setting: $0.setting) }
        ends.replace(
            with: groups.mapValues { credentials in
                let times = credentials.map(\.notAfter.seconds)
                return Double(times.filter { $0 > now.seconds }.min() ?? times.max() ?? 0)
            }
        )
    }
}
