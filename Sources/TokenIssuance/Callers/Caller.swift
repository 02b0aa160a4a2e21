package import FleetToken

/// An authenticated caller.
///
/// A class, because all requests with a token share the caller that was remembered for it.
package final class Caller: Sendable {
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

    static let anonymous = Caller(
        method: .anonymous,
        name: "anonymous",
        subject: "",
        claims: .init(),
        rateLimit: .perUser
    )
}
