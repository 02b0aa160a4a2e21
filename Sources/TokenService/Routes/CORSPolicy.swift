import FleetToken
import HTTPTypes

/// The web pages that may read responses (the Fetch standard's CORS protocol).
///
/// Cookies are never used, so no response allows credentials or names `*`.
struct CORSPolicy: Sendable {
    /// The origins, compared byte by byte; nil allows pages on this machine, with any port.
    let origins: [String]?

    /// The field of every response, so that a cache keeps responses to different origins apart.
    private static let vary: HTTPFields = [.vary: "Origin"]

    /// The fields that the service reads, and `tracestate`, which tracing tools send with `traceparent`.
    private static let allowedFields =
        "Authorization, Content-Type, Fleet-Token-Reuse, X-API-Key, traceparent, tracestate"

    /// Returns the header fields of a response to a request from an origin.
    func headers(origin: String?) -> HTTPFields {
        guard let origin, allows(origin) else { return Self.vary }
        var headers = Self.vary
        headers[.accessControlAllowOrigin] = origin
        headers[.accessControlExposeHeaders] = "Date, Retry-After, X-Request-Id"
        return headers
    }

    /// Returns the additional header fields of a response to a preflight request.
    func preflightHeaders(origin: String?, allowed: String) -> HTTPFields {
        guard let origin, allows(origin) else { return [:] }
        return [
            .accessControlAllowMethods: allowed,
            .accessControlAllowHeaders: Self.allowedFields,
            .accessControlMaxAge: "600",
        ]
    }

    private func allows(_ origin: String) -> Bool {
        origins?.contains { $0.hasSameBytes(as: origin) } ?? Self.isLocal(origin)
    }

    private static func isLocal(_ origin: String) -> Bool {
        for scheme in ["http://", "https://"] where origin.utf8.starts(with: scheme.utf8) {
            return HostPolicy.thisMachine.allows(authority: String(origin.dropFirst(scheme.count)))
        }
        return false
    }
}
