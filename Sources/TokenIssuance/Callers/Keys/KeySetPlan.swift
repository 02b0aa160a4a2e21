import JOSE
package import ServiceSupport

/// The source of an issuer's keys, and how long they are valid.
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

    /// The source.
    let source: Source
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
    package var location: String { source.description }
    /// Whether the keys are fetched over the network.
    package var isRemote: Bool { source.isRemote }
    /// Whether the issuer says where its keys are.
    package var isDiscovered: Bool { if case .provider = source { true } else { false } }

    /// Creates the plan for a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - allowsLoopback: Whether keys may come from this machine by http, for tests.
    /// - Throws: ``ConfigurationError`` if the URL is not allowed.
    package init(_ configuration: JWTIssuerConfiguration, allowsLoopback: Bool = false) throws(ConfigurationError) {
        switch configuration.keys {
        case .url(let text): source = .url(try KeySetURL(text, allowsLoopback: allowsLoopback))
        case .file(let path): source = .file(path)
        case .discovery: source = .provider(try IdentityProvider(configuration, allowsLoopback: allowsLoopback))
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

extension KeySetPlan.Source {
    /// Whether the keys are fetched over the network.
    var isRemote: Bool {
        if case .file = self { false } else { true }
    }
}

extension KeySetPlan.Source: CustomStringConvertible {
    /// The URL or the path.
    var description: String {
        switch self {
        case .url(let url): url.text
        case .file(let path): path
        case .provider(let provider): provider.document.text
        }
    }
}
