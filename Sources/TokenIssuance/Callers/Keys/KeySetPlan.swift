import JOSE
import ServiceSupport

/// The source of an issuer's keys.
///
/// Issuers with the same plan share their keys.
package struct KeySetPlan: Hashable, Sendable {
    /// A source of keys.
    enum Source: Hashable, Sendable {
        /// On the network.
        case url(KeySetURL)
        /// In a file.
        case file(String)
        /// At the URL that an OpenID Connect provider names.
        case provider(IdentityProvider)
    }

    /// How old keys become before they are fetched again; a new one is found before, by its use.
    static let refresh = Duration.seconds(3600)
    /// The maximum age of keys while fetching fails; then authentication fails.
    ///
    /// A day leaves time for a repair, and bounds how long a key is accepted that the issuer has withdrawn.
    static let maxStale = Duration.seconds(86400)
    /// The least time between two fetches for keys that are not known.
    static let refetchInterval = Duration.seconds(10)
    /// How the keys are fetched.
    ///
    /// Without keys no caller is authenticated, so an issuer's `Retry-After` is limited to one minute. With them there is no
    /// urgency, and forged tokens must not cause a series of requests.
    static let policy = {
        var policy = RefreshPolicy()
        policy.timeout = .seconds(5)
        policy.retryInterval = KeySetPlan.refetchInterval
        policy.maximumRetryAfter = .seconds(60)
        // Forged tokens delay no other request.
        policy.maximumWaiting = 64
        return policy
    }()

    let source: Source
    /// The algorithms for which keys are kept: the usual ones, so that issuers with other lists share them, and the
    /// configured ones.
    let algorithms: [JWSAlgorithm]
    /// The file with the certificate authorities to trust, PEM; nil for the system's.
    let authorities: String?

    /// The URL that is fetched first, or the path.
    package var location: String {
        switch source {
        case .url(let url): url.text
        case .file(let path): path
        case .provider(let provider): provider.document.text
        }
    }
    /// Whether the keys are fetched over the network.
    package var isRemote: Bool { if case .file = source { false } else { true } }
    /// Whether the issuer says where its keys are.
    package var isDiscovered: Bool { if case .provider = source { true } else { false } }

    /// Creates the plan for a configuration.
    package init(_ configuration: JWTIssuerConfiguration) {
        let (issuer, allowed) = (configuration.issuer, configuration.algorithms)
        source =
            switch configuration.keys {
            case .url(let url): .url(url)
            case .file(let path): .file(path)
            case .discovery(let url): .provider(IdentityProvider(issuer: issuer, document: url, algorithms: allowed))
            }
        algorithms = JWSAlgorithm.allCases.filter {
            JWSAlgorithm.usual.contains($0) || allowed.contains($0)
        }
        authorities = configuration.authorities
    }
}
