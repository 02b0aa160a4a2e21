import FleetToken
package import ServiceSupport
import Synchronization

/// Metrics of authentication, and of issuers' keys.
///
/// The label `issuer` is a caller's name in the configuration, or `none` if no caller matched. Names are added when
/// configurations are loaded; previous ones stay, as Prometheus expects of counters.
package final class CallerMetrics: Sendable {
    /// The maximum number of names.
    static let maximumNames = 256

    private static let unknownCaller = "none"

    private struct Instruments {
        var authentications: [String: MetricTable<Counter, LabelPair<CallerMethodLabel, AuthenticationLabel>>] = [:]
        var refreshes: [String: MetricTable<Counter, KeySetResultLabel>] = [:]
        var lastSuccess: [String: Gauge] = [:]
        /// Whose keys a plan is for.
        var issuers: [KeySetPlan: Set<String>] = [:]
    }

    private let instruments: Mutex<Instruments>
    private let authentications: @Sendable ([(name: String, value: String)]) -> Counter
    private let refreshes: @Sendable ([(name: String, value: String)]) -> Counter
    private let lastSuccess: @Sendable ([(name: String, value: String)]) -> Gauge
    private let clock: ServiceClock

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry, clock: ServiceClock) {
        self.clock = clock
        authentications = registry.family(
            "fleet_token_authn_total",
            help: "Authentications, by method, caller name in the configuration, and result."
        )
        refreshes = registry.family(
            "fleet_token_jwks_refresh_total",
            help: "Fetches of issuers' keys, by result."
        )
        lastSuccess = registry.family(
            "fleet_token_jwks_last_success_timestamp_seconds",
            help: "Unix time of the last successful fetch of an issuer's keys; 0 before the first."
        )
        instruments = Mutex(Instruments())
        instruments.withLock { addName(Self.unknownCaller, to: &$0) }
    }

    /// Adds the names of a configuration's callers.
    ///
    /// - Parameters:
    ///   - callers: The callers.
    ///   - allowsLoopback: Whether keys may come from this machine by http, for tests.
    func add(_ callers: [CallerConfiguration], allowsLoopback: Bool = false) {
        instruments.withLock { instruments in
            for caller in callers {
                addName(caller.name, to: &instruments)
                guard case .jwt(let configuration) = caller.method else { continue }
                addIssuer(caller.name, to: &instruments)
                guard let plan = try? KeySetPlan(configuration, allowsLoopback: allowsLoopback) else { continue }
                instruments.issuers[plan, default: []].insert(caller.name)
            }
        }
    }

    /// Counts an accepted caller.
    func accepted(_ caller: Caller) {
        count(caller.name, method: .init(caller.method), result: .accepted)
    }

    /// Counts a failed authentication.
    func refused(_ failure: AuthenticationFailure) {
        count(failure.caller ?? Self.unknownCaller, method: .init(failure.code), result: .refused(failure.code))
    }

    /// Keys were fetched, or should have been.
    func fetchedKeys(_ plan: KeySetPlan, _ result: KeySetResultLabel) {
        instruments.withLock { instruments in
            for issuer in instruments.issuers[plan] ?? [] {
                instruments.refreshes[issuer]?[result].increment()
                if result == .fetched { instruments.lastSuccess[issuer]?.set(Double(clock.now.seconds)) }
            }
        }
    }

    private func count(_ name: String, method: CallerMethodLabel, result: AuthenticationLabel) {
        let table = instruments.withLock { $0.authentications[name] }
        table?[method, result].increment()
    }

    private func addName(_ name: String, to instruments: inout Instruments) {
        guard instruments.authentications[name] == nil, instruments.authentications.count < Self.maximumNames else {
            return
        }
        instruments.authentications[name] = MetricTable { [authentications] labels in
            authentications([("issuer", name)] + labels)
        }
    }

    private func addIssuer(_ name: String, to instruments: inout Instruments) {
        guard instruments.refreshes[name] == nil, instruments.refreshes.count < Self.maximumNames else { return }
        let table = MetricTable<Counter, KeySetResultLabel> { [refreshes] labels in
            refreshes([("issuer", name)] + labels)
        }
        // These start at zero, so that `rate()` sees even the first failure.
        for result in KeySetResultLabel.allCases { _ = table[result] }
        instruments.refreshes[name] = table
        instruments.lastSuccess[name] = lastSuccess([("issuer", name)])
    }
}

/// The authentication method of a request.
enum CallerMethodLabel: String, MetricLabel {
    case jwt
    case apiKey = "api_key"
    case certificate
    /// In none of these ways, or in several.
    case none

    static let labelName = "method"

    init(_ method: Caller.Method) {
        self = Self(rawValue: method.rawValue) ?? .none
    }

    /// Creates the label for the method that failed with a code.
    init(_ code: AuthenticationFailure.Code) {
        self =
            switch code {
            case .noCredentials, .multipleCredentials, .unsupportedScheme, .malformedCredentials: .none
            case .malformedAPIKey, .unknownAPIKey, .expiredAPIKey: .apiKey
            case .unknownCertificate, .ambiguousCertificate: .certificate
            default: .jwt
            }
    }
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

/// Whether an issuer's keys were fetched.
enum KeySetResultLabel: String, MetricLabel {
    case fetched
    case failed

    static let labelName = "result"
}
