import FleetToken
import HTTPServer
import HTTPTypes
import StrictCoding

/// The web pages that may read responses (the Fetch standard's CORS protocol).
///
/// Cookies are never used, so no response allows credentials or names `*`.
struct CORSPolicy: Sendable {
    /// Which origins are allowed.
    enum Origins: Sendable {
        /// Pages on this machine, with any port.
        case localhost
        /// These, compared byte by byte.
        case list([String])
    }

    let origins: Origins

    /// The field of every response, so that a cache keeps responses to different origins apart.
    private static let vary: HTTPFields = [.vary: "Origin"]

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
            .accessControlAllowHeaders: "Authorization, Content-Type, Fleet-Token-Reuse",
            .accessControlMaxAge: "600",
        ]
    }

    private func allows(_ origin: String) -> Bool {
        switch origins {
        case .list(let list): list.contains { $0.hasSameBytes(as: origin) }
        case .localhost: Self.isLocal(origin)
        }
    }

    private static func isLocal(_ origin: String) -> Bool {
        for scheme in ["http://", "https://"] where origin.utf8.starts(with: scheme.utf8) {
            return HostPolicy.thisMachine.allows(authority: String(origin.dropFirst(scheme.count)))
        }
        return false
    }
}
