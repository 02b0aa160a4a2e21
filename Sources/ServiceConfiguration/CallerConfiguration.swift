package import JOSE
package import StrictCoding

/// One kind of caller, under a name that grants, logs and metrics use.
package struct CallerConfiguration: Sendable {
    /// The authentication method.
    package enum Method: Sendable {
        case jwt(JWTIssuerConfiguration)
        /// With an API key of a file that ``APIKeyFile`` reads.
        case apiKeys(file: String)
        /// With a client certificate that has one of these names: a URI or DNS name of its SAN.
        case certificate(names: [String])
    }

    package var name: String
    /// The authentication method.
    package var method: Method

    /// Whether the caller may be a person's app; such a caller never gets a privileged token.
    package var isApp: Bool
}

/// The issuer and conditions of accepted JWTs.
package struct JWTIssuerConfiguration: Sendable {
    /// Where the issuer's keys are.
    package enum KeySource: Sendable, Hashable {
        case url(String)
        case file(String)
        /// OpenID Connect discovery.
        case discovery
    }

    /// `iss`, compared byte by byte.
    package var issuer: String
    /// `aud` must hold one of these.
    package var audiences: [String]
    /// The algorithms that the issuer's keys are used with.
    package var algorithms: [JWSAlgorithm]
    package var keys: KeySource
    /// The file with the certificate authorities of the issuer's server, PEM; nil for the system's.
    package var authorities: String?
    /// Claims that must have these values.
    package var requiredClaims: [ClaimCondition] = []
    /// The accepted values of the header's `typ`, in lower case; nil accepts any.
    package var types: [String]?
    /// How far clocks may be apart, in seconds: more than machines with NTP are.
    package var leeway: Int64 = 60
    /// How old the keys may become, in seconds, before they are fetched again.
    ///
    /// A new key is found before, by its use.
    package var refresh: Int64 = 3600
    /// The maximum age of the keys, in seconds, while fetching fails; then authentication fails.
    ///
    /// A day gives somebody the time to mend it, and bounds how long a key counts that the issuer has withdrawn.
    package var maxStale: Int64 = 86400
    /// The least time between two fetches for keys that are not known, in seconds.
    package var refetchInterval: Int64 = 10
}

/// A claim that must have a value.
package struct ClaimCondition: Sendable, Hashable {
    /// The claim's name; a dot leads into an object.
    package var path: [String]
    /// The value, compared exactly; in an array it must be an element.
    package var value: JSONValue
}
