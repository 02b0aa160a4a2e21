import ServiceSupport
package import StrictCoding
import Synchronization

/// An authenticated caller.
///
/// A class: a remembered caller is shared by all requests with its token, and all steps of a request pass it on.
package final class Caller: Sendable {
    /// The authentication method.
    let method: Method
    /// The caller's name in the configuration: one of few, fit for metrics.
    package let name: String
    /// The subject: a JWT's `sub`, an API key's ID, a certificate's name.
    ///
    /// One of many, fit for the audit trail only.
    package let subject: String
    /// The claims of a JWT; empty for other methods.
    package let claims: JSONObject
    /// Whether the caller may be a person's app.
    package let isApp: Bool
    /// The name of its bucket of requests.
    let bucket: String

    package init(method: Method, name: String, subject: String, claims: JSONObject, isApp: Bool) {
        self.method = method
        self.name = name
        self.subject = subject
        self.claims = claims
        self.isApp = isApp
        bucket = "\(name)\u{0}\(subject)"
    }

    static let anonymous = Caller(method: .anonymous, name: "anonymous", subject: "", claims: .init(), isApp: true)
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

    /// Adds names.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - labels: The counters that start at zero, so that `rate()` sees even their first event.
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
