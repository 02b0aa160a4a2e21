package import StrictCoding

/// An authenticated caller.
package struct Caller: Sendable, Hashable {
    /// The authentication method.
    package enum Method: String, Sendable {
        /// No authentication: development only.
        case anonymous
        /// A JWT of an issuer's.
        case jwt
        /// An API key.
        case apiKey = "api_key"
        /// A client certificate.
        case certificate
    }

    /// How it is known.
    let method: Method
    /// The caller's name in the configuration: one of few, fit for metrics.
    package let name: String
    /// Who exactly: a JWT's `sub`, an API key's ID, a certificate's name.
    ///
    /// One of many, fit for the audit trail only.
    package let subject: String
    /// The claims of a JWT; empty for other methods.
    package let claims: JSONObject
    /// Whether the caller may be a person's app.
    package let isApp: Bool

    /// Creates a caller.
    package init(method: Method, name: String, subject: String, claims: JSONObject, isApp: Bool) {
        self.method = method
        self.name = name
        self.subject = subject
        self.claims = claims
        self.isApp = isApp
    }
}

extension Caller {
    /// The anonymous caller.
    static let anonymous = Caller(method: .anonymous, name: "anonymous", subject: "", claims: .init(), isApp: true)
}
