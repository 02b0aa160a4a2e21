package import FleetToken

/// An authenticated caller.
///
/// A class, because all requests with an API key share the caller of the key.
package final class Caller: Sendable {
    /// The authentication method.
    package enum Method: String, CaseIterable, Sendable {
        /// No authentication: development only.
        case anonymous
        case jwt
        case apiKey = "api_key"
    }

    /// The limit of requests that a subject has, as its setting is named.
    package enum RateLimit: String, CaseIterable, Sendable {
        /// That of a user, who requests tokens for themselves.
        case perUser
        /// That of a client, which requests tokens for a fleet.
        case perClient
    }

    let method: Method
    /// The caller's name in the configuration: one of few, fit for metrics.
    package let name: String
    /// The subject: a JWT's `sub` or an API key's ID.
    ///
    /// One of many, fit for the audit trail only.
    package let subject: String
    /// The claims of a JWT; empty for other methods.
    package let claims: JSONObject
    /// Which limit of requests its subject has.
    package let rateLimit: RateLimit
    /// Whether the caller may have the privileged kinds, which give access to everything.
    package let isAdmin: Bool
    /// The name of its bucket of requests.
    let bucket: String

    package init(
        method: Method,
        name: String,
        subject: String,
        claims: JSONObject,
        rateLimit: RateLimit,
        isAdmin: Bool = false
    ) {
        self.method = method
        self.name = name
        self.subject = subject
        self.claims = claims
        self.rateLimit = rateLimit
        self.isAdmin = isAdmin
        bucket = "\(name)\u{0}\(subject)"
    }

    /// Everybody: for development, where only this machine can connect.
    package static let anonymous = Caller(
        method: .anonymous,
        name: "anonymous",
        subject: "",
        claims: .init(),
        rateLimit: .perUser,
        isAdmin: true
    )
}
