import ServiceSupport

/// A route's template, never the requested path.
enum RouteLabel: String, MetricLabel {
    case token = "/token"
    case tokenOfKind = "/token/{kind}"
    case tokenByID = "/token/{kind}/{id}"
    case jwks = "/.well-known/jwks.json"
    case livez = "/livez"
    case readyz = "/readyz"
    case metrics = "/metrics"
    /// `service.healthPath`, under any name in the configuration.
    case health = "_HEALTH"
    /// Any path that is not a route.
    case other = "_OTHER"

    static let labelName = "route"
}

/// A request's method; those that no route has are one, `_OTHER`, as in OpenTelemetry's conventions.
enum MethodLabel: String, MetricLabel {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case options = "OPTIONS"
    case other = "_OTHER"

    static let labelName = "method"

    /// Creates the label for a method's name, which is case-sensitive.
    init(method: String) {
        self = Self(rawValue: method) ?? .other
    }
}

/// A response's status code; those that this service doesn't send are one, `_OTHER`.
struct StatusLabel: MetricLabel {
    private let code: Int?

    static let labelName = "status"
    static let allCases: [Self] =
        [200, 204, 304, 400, 401, 403, 404, 405, 413, 414, 415, 429, 431, 500, 503].map { Self(code: $0) }
        + [Self(code: nil)]

    var labelValue: String { code.map { String($0) } ?? "_OTHER" }

    private init(code: Int?) {
        self.code = code
    }

    init(status code: Int) {
        let label = Self(code: code)
        self = Self.allCases.contains(label) ? label : Self(code: nil)
    }
}
