package import ServiceSupport
import Synchronization

/// Metrics of authentication.
///
/// The label `issuer` is a caller's name in the configuration, or `none` if no caller matched.
package struct CallerMetrics: Sendable {
    private let authentications: CallerCounters<LabelPair<CallerMethodLabel, AuthenticationLabel>>

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry) {
        authentications = CallerCounters(
            "fleet_token_authn_total",
            help: "Authentications, by method, caller name in the configuration, and result.",
            label: "issuer",
            in: registry
        )
    }

    /// Adds the names of a configuration's callers.
    func add(_ callers: [CallerConfiguration]) { authentications.add(callers.map(\.name)) }

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

/// Counters with a label for a caller's name in the configuration, and other labels.
///
/// Names are added when configurations are loaded; previous ones stay, as Prometheus expects of counters. No other name makes
/// a series. `none` stands for no known caller.
final class CallerCounters<Labels: MetricLabels>: Sendable {
    /// The maximum number of names.
    static var maximumNames: Int { 256 }

    private let tables: Mutex<[String: MetricTable<Counter, Labels>]>
    private let make: @Sendable (_ name: String) -> MetricTable<Counter, Labels>

    /// Creates the metric and declares it in a registry.
    init(_ metric: String, help: String, label: String, in registry: PrometheusRegistry) {
        let family: @Sendable ([(name: String, value: String)]) -> Counter = registry.family(metric, help: help)
        make = { name in MetricTable { family([(label, name)] + $0) } }
        tables = Mutex(["none": make("none")])
    }

    /// The counters of a name, or of no known caller; nil if the name was not added.
    subscript(name: String?) -> MetricTable<Counter, Labels>? { tables.withLock { $0[name ?? "none"] } }

    /// Adds names; their counters with these labels start at zero, so that `rate()` sees even the first event.
    func add(_ names: [String], atZero labels: [Labels] = []) {
        tables.withLock { tables in
            for name in names where tables[name] == nil && tables.count <= Self.maximumNames {
                let table = make(name)
                for labels in labels { _ = table[labels] }
                tables[name] = table
            }
        }
    }
}
