import FleetToken
package import ServiceSupport

/// Metrics of authentication.
///
/// The label `issuer` is a caller's name in the configuration, or `none` if no caller matched.
package struct CallerMetrics: Sendable {
    /// Metrics of issuers' keys.
    package let keySets: KeySetMetrics
    private let authentications: CallerCounters<LabelPair<CallerMethodLabel, AuthenticationLabel>>

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry, clock: ServiceClock) {
        keySets = KeySetMetrics(registry: registry, clock: clock)
        authentications = CallerCounters(
            "fleet_token_authn_total",
            help: "Authentications, by method, caller name in the configuration, and result.",
            label: "issuer",
            in: registry
        )
    }

    /// Adds the names of a configuration's callers.
    func add(_ callers: [CallerConfiguration]) {
        authentications.add(callers.map(\.name))
        for caller in callers {
            guard case .jwt(let configuration) = caller.method else { continue }
            keySets.add(caller.name, try? KeySetPlan(configuration))
        }
    }

    /// Counts an accepted caller.
    func accepted(_ caller: Caller) {
        authentications[caller.name]?[.init(method: caller.method), .accepted].increment()
    }

    /// Counts a failed authentication.
    func refused(_ failure: AuthenticationFailure) {
        authentications[failure.caller]?[.init(method: failure.code.method), .refused(failure.code)].increment()
    }
}

/// The authentication method of a request.
struct CallerMethodLabel: MetricLabel {
    /// The method; nil for none, or several.
    let method: Caller.Method?

    static let labelName = "method"
    static let allCases = Caller.Method.allCases.map(Self.init) + [Self(method: nil)]

    var labelValue: String { method?.rawValue ?? "none" }
}

/// The result of authentication: accepted, or the code that the log shows.
enum AuthenticationLabel: MetricLabel {
    case accepted
    case refused(AuthenticationFailure.Code)

    static let labelName = "result"
    static let allCases = [.accepted] + AuthenticationFailure.Code.allCases.map(Self.refused)

    var labelValue: String {
        switch self {
        case .accepted: "accepted"
        case .refused(let code): code.rawValue
        }
    }
}
