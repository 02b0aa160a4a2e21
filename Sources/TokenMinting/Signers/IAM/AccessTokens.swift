import ExpiringCache
import FleetToken
import ServiceSupport
import StrictCoding
import Timing

/// Access tokens for Google's APIs, each fetched by one fetch at a time and kept until shortly before it expires.
typealias AccessTokens = ExpiringCache<GoogleCredentials, Secret>

extension AccessTokens {
    /// Creates an empty cache.
    convenience init(_ http: any OutgoingHTTP, endpoints: GoogleEndpoints, clock: ServiceClock) {
        var configuration = CacheConfiguration.google
        // The metadata server returns the same token until five minutes before it expires, then a new one.
        configuration.refreshAhead = 240
        self.init(
            configuration: configuration,
            clock: clock.cache,
            scheduler: clock.scheduler,
            random: clock.random
        ) { credentials, _ in
            try await credentials.accessToken(http, endpoints: endpoints, clock: clock)
        }
    }
}

/// Access tokens that were fetched a moment ago, for accounts whose requests were refused with the usual one.
///
/// However many accounts Google refuses, and however often, a new token is fetched once in that moment, and the usual one
/// stays in use.
typealias NewAccessTokens = ExpiringCache<GoogleCredentials, NewAccessToken>

/// An access token and when it expires, by the time since some fixed moment.
struct NewAccessToken: Sendable {
    let token: Secret
    let expiry: Seconds
}

extension NewAccessTokens {
    /// For how many seconds a token counts as new.
    static let lifetime: Seconds = 5

    /// Creates an empty cache.
    convenience init(_ http: any OutgoingHTTP, endpoints: GoogleEndpoints, clock: ServiceClock) {
        var configuration = CacheConfiguration.google
        configuration.minimumRemaining = 0
        configuration.refreshAhead = 0
        self.init(
            configuration: configuration,
            clock: clock.cache,
            scheduler: clock.scheduler,
            random: clock.random
        ) { credentials, _ in
            let start = clock.uptime
            let fetched = try await credentials.accessToken(http, endpoints: endpoints, clock: clock)
            return Fetched(
                NewAccessToken(token: fetched.value, expiry: start + fetched.lifetime),
                lifetime: min(Self.lifetime, fetched.lifetime)
            )
        }
    }
}

extension GoogleCredentials {
    fileprivate func accessToken(
        _ http: any OutgoingHTTP,
        endpoints: GoogleEndpoints,
        clock: ServiceClock
    ) async throws -> Fetched<Secret> {
        switch self {
        case .metadataServer: try await MetadataServer(http: http, endpoints: endpoints).accessToken()
        case .serviceAccount(let account):
            try await AccessTokenGrant(http: http, endpoints: endpoints).accessToken(
                for: account,
                now: clock.now
            )
        }
    }
}

extension Fetched<Secret> {
    /// Creates a token from the response of an OAuth server or the metadata server (RFC 6749 section 5.1).
    ///
    /// - Throws: ``IAMError`` when it isn't one.
    init(accessTokenResponse body: Secret, from place: String) throws(IAMError) {
        guard let response = try? JSONParser.parseObject(body.reveal()),
            let token = response["access_token"]?.stringValue, let lifetime = response["expires_in"]?.integerValue,
            let type = response["token_type"]?.stringValue
        else { throw IAMError(.malformed, "\(place) returned an invalid access token response.") }
        guard type.hasSameBytes(as: "Bearer"), (1...86_400).contains(lifetime),
            // A header field must not be terminated by its value.
            (1...8192).contains(token.utf8.count), token.utf8.allSatisfy(\.isASCIIVisible)
        else { throw IAMError(.malformed, "\(place) returned an unusable access token.") }
        self.init(Secret(token), lifetime: Seconds(lifetime))
    }
}

extension CacheConfiguration {
    /// The configuration for values that are fetched from Google.
    static var google: Self {
        var configuration = Self()
        configuration.capacity = 100
        configuration.fetchTimeout = 5
        // Callers wait for a fetch, which is bounded by itself.
        configuration.callTimeout = .infinity
        configuration.maximumRetryAfter = 300
        return configuration
    }
}
