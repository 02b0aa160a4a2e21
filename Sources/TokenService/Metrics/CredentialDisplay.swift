import FleetToken
import ServiceSupport
import TokenIssuance

/// Shows in a metric when credentials end.
struct CredentialDisplay: Sendable {
    private let show: @Sendable ([(labels: [(name: String, value: String)], value: Double)]) -> Void

    /// Creates the display, and declares its metric in a registry.
    init(registry: PrometheusRegistry) {
        show = registry.gauges(
            "fleet_token_credential_not_after_timestamp_seconds",
            help:
                "Unix time at which the next credential of a setting expires; if all have expired, at which the last one expired."
        )
    }

    /// Shows the credentials at a time.
    ///
    /// A setting may have several, and each of a caller's API keys may be in use until it expires.
    func show(_ credentials: [ExpiringCredential], at now: NumericDate) {
        let groups = Dictionary(grouping: credentials) { [$0.kind.rawValue, $0.setting] }
        show(
            groups.map { group, credentials in
                let times = credentials.map(\.notAfter.seconds)
                let next = times.filter { $0 > now.seconds }.min() ?? times.max() ?? 0
                return ([("credential", group[0]), ("setting", group[1])], Double(next))
            }
        )
    }
}
