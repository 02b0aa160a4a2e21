import JOSE
package import ServiceConfiguration
package import ServiceSupport

/// Where an issuer's keys are, and for how long they are good.
///
/// Issuers with the same plan share their keys.
package struct KeySetPlan: Hashable, Sendable {
    /// Where keys are.
    enum Place: Hashable, Sendable {
        /// On the network.
        case url(KeySetURL)
        /// In a file.
        case file(String)
        /// At the URL that an OpenID Connect provider names.
        case provider(IdentityProvider)
    }

    /// Where they are.
    let place: Place
    /// The algorithms for which keys are kept: the usual ones, so that issuers with other lists share them, and the
    /// configured ones.
    let algorithms: [JWSAlgorithm]
    /// The file with the certificate authorities to trust, PEM; nil for the system's.
    let authorities: String?
    /// How old they become, in seconds, before they are fetched again.
    let refresh: Int64
    /// How old they become, in seconds, when they cannot be fetched.
    let maxStale: Int64
    /// The least time, in seconds, between two fetches for keys that are not known.
    let refetchInterval: Int64

    /// The URL that is fetched first, or the path.
    package var location: String { place.description }
    /// Whether the keys are fetched over the network.
    package var isRemote: Bool { place.isRemote }
    /// Whether the issuer says where its keys are.
    package var isDiscovered: Bool { if case .provider = place { true } else { false } }

    /// Creates the plan for a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - allowsLoopback: Whether keys may come from this machine by http, for tests.
    /// - Throws: ``ConfigurationError`` if the URL is not allowed.
    package init(_ configuration: JWTIssuerConfiguration, allowsLoopback: Bool = false) throws(ConfigurationError) {
        switch configuration.keys {
        case .url(let text): place = .url(try KeySetURL(text, allowsLoopback: allowsLoopback))
        case .file(let path): place = .file(path)
        case .discovery: place = .provider(try IdentityProvider(configuration, allowsLoopback: allowsLoopback))
        }
        algorithms = JWSAlgorithm.allCases.filter {
            JWSAlgorithm.usual.contains($0) || configuration.algorithms.contains($0)
        }
        authorities = configuration.authorities
        refresh = configuration.refresh
        maxStale = configuration.maxStale
        refetchInterval = configuration.refetchInterval
    }
}

extension KeySetPlan.Place {
    /// Whether the keys are fetched over the network.
    var isRemote: Bool {
        if case .file = self { false } else { true }
    }
}

extension KeySetPlan.Place: CustomStringConvertible {
    /// The URL or the path.
    var description: String {
        switch self {
        case .url(let url): url.text
        case .file(let path): path
        case .provider(let provider): provider.document.text
        }
    }
}
