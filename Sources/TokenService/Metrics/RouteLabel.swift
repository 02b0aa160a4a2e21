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
    case health = "/health"
    /// Any path that is not a route.
    case other = "_OTHER"

    static let labelName = "route"
}
