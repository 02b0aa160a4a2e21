/// A route's template, never the requested path.
enum RouteLabel: String {
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
