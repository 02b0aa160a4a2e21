import FleetToken
package import ServiceSupport
import Synchronization

/// Metrics of authentication.
///
/// The label `issuer` is a caller's name in the configuration, or `none` if no caller matched. Names are added when
/// configurations are loaded; previous ones stay, as Prometheus expects of counters.
package final class CallerMetrics: Sendable {
    /// The maximum number of names.
    static let maximumNames = 256

    private static let unknownCaller = "none"

    private typealias Table = MetricTable<Counter, LabelPair<CallerMethodLabel, AuthenticationLabel>>

    /// Metrics of issuers' keys.
    package let keySets: KeySetMetrics
    private let tables = Mutex<[String: Table]>([:])
    private let authentications: @Sendable ([(name: String, value: String)]) -> Counter

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry, clock: ServiceClock) {
        keySets = KeySetMetrics(registry: registry, clock: clock)
        authentications = registry.family(
            "fleet_token_authn_total",
            help: "Authentications, by method, caller name in the configuration, and result."
        )
        add(Self.unknownCaller)
    }

    /// Adds the names of a configuration's callers.
    ///
    /// - Parameters:
    ///   - callers: The callers.
    ///   - allowsLoopback: Whether keys may come from this machine by http, for tests.
    func add(_ callers: [CallerConfiguration], allowsLoopback: Bool = false) {
        for caller in callers {
            add(caller.name)
            guard case .jwt(let configuration) = caller.method else { continue }
            keySets.add(caller.name, try? KeySetPlan(configuration, allowsLoopback: allowsLoopback))
        }
    }

    /// Counts an accepted caller.
    func accepted(_ caller: Caller) {
        count(caller.name, method: caller.method, result: .accepted)
    }

    /// Counts a failed authentication.
    func refused(_ failure: AuthenticationFailure) {
        count(failure.caller ?? Self.unknownCaller, method: failure.code.method, result: .refused(failure.code))
    }

    private func count(_ name: String, method: Caller.Method?, result: AuthenticationLabel) {
        tables.withLock { $0[name] }?[.init(method: method), result].increment()
    }

    private func add(_ name: String) {
        tables.withLock { tables in
            guard tables[name] == nil, tables.count < Self.maximumNames else { return }
            tables[name] = MetricTable { [authentications] labels in authentications([("issuer", name)] + labels) }
        }
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
