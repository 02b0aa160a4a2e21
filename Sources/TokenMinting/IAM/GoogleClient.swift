import ExpiringCache
import FleetToken
import JOSE
package import ServiceSupport
import Timing

/// Google's services for signing without a key file, with caches of their responses.
///
/// All signers share it: one access token and one set of keys, however many kinds are signed with them.
package struct GoogleClient: Sendable {
    /// An access token and when it expires, by ``ServiceClock/uptime``.
    struct NewAccessToken: Sendable {
        let token: Secret
        let expiry: Seconds
    }

    /// For how many seconds an access token counts as new.
    static let newTokenLifetime: Seconds = 5
    /// For how many seconds an account's keys are kept when they cannot be fetched again: less than a key outlives its
    /// last signature.
    static let keysLifetime: Seconds = 6 * 3600
    /// After how many seconds they are fetched again.
    static let keysRefreshAfter: Seconds = 3600
    /// The least seconds between two fetches for a key that isn't known.
    static let keysRefetchInterval: Seconds = 1

    package let servers: GoogleServers
    /// Access tokens by the account whose key file requests them, nil for that of this machine, pod or Cloud Run service; kept
    /// until shortly before they expire.
    let accessTokens: ExpiringCache<ServiceAccount?, Secret>
    /// Access tokens that were fetched a moment ago, for accounts whose requests were refused with the usual one.
    ///
    /// However many accounts Google refuses, and however often, a new token is fetched once in that moment, and the usual
    /// one stays in use.
    private let newAccessTokens: ExpiringCache<ServiceAccount?, NewAccessToken>
    /// Service accounts' public keys as Google publishes them, by the account's address.
    let accountKeys: ExpiringCache<String, JWKSet>

    package var clock: ServiceClock { servers.clock }

    /// Creates a client with empty caches.
    package init(http: any OutgoingHTTP, endpoints: GoogleEndpoints = .google, clock: ServiceClock) {
        let servers = GoogleServers(http: http, endpoints: endpoints, clock: clock)
        self.servers = servers
        // The metadata server returns the same token until five minutes before it expires, then a new one.
        accessTokens = servers.cache(refreshAhead: 240) { try await servers.accessToken($0) }
        newAccessTokens = servers.cache(minimumRemaining: 0, refreshAhead: 0) { credentials in
            let start = clock.uptime
            let fetched = try await servers.accessToken(credentials)
            return Fetched(
                NewAccessToken(token: fetched.value, expiry: start + fetched.lifetime),
                lifetime: min(Self.newTokenLifetime, fetched.lifetime)
            )
        }
        accountKeys = servers.cache(minimumRemaining: 0) { account in
            let keys = try await servers.publishedKeys(of: account)
            // Keys that Google has mislaid must not make us forget the last ones.
            guard !keys.keys.isEmpty else { throw IAMError("Google publishes no keys for \(account).") }
            return Fetched(keys, lifetime: Self.keysLifetime, refreshAfter: Self.keysRefreshAfter)
        }
    }

    func accessToken(_ credentials: ServiceAccount?) async throws -> Secret {
        try await value(of: accessTokens, for: credentials)
    }

    /// Returns a new access token for one that was rejected; nil if its source returns the same one again.
    ///
    /// The rejected token stays cached: it may be valid for other accounts.
    ///
    /// - Throws: ``IAMError``, or `CancellationError`.
    func replacement(of token: Secret, _ credentials: ServiceAccount?) async throws -> NewAccessToken? {
        let new = try await value(of: newAccessTokens, for: credentials)
        return new.token == token ? nil : new
    }

    /// Uses a token that was taken from now on, unless another is in use already.
    func keep(_ new: NewAccessToken, insteadOf token: Secret, _ credentials: ServiceAccount?) {
        guard accessTokens.cachedValue(for: credentials) == token else { return }
        accessTokens.insert(Fetched(new.token, lifetime: new.expiry - clock.uptime), for: credentials)
    }

    /// Returns the key with an ID, and fetches it if it is unknown: Google rotates its keys at any time.
    ///
    /// - Throws: ``IAMError``, or `CancellationError`.
    func key(named id: String, of account: String) async throws -> JWK {
        if let key = try await value(of: accountKeys, for: account)[id] { return key }
        // A set with this remaining lifetime is younger than the minimum time between fetches, so it is returned without a
        // fetch.
        let newer = try await value(
            of: accountKeys,
            for: account,
            validFor: Self.keysLifetime - Self.keysRefetchInterval
        )
        if let key = newer[id] { return key }
        throw IAMError.temporary(
            "Google signed with a key that it has not published for \(account) yet.",
            after: Self.keysRefetchInterval
        )
    }

    /// Returns a cached or fetched value, or throws the ``IAMError`` behind the cache's.
    private func value<Key, Value>(
        of cache: ExpiringCache<Key, Value>,
        for key: Key,
        validFor: Seconds = 0
    ) async throws -> Value {
        do {
            return try await cache.value(for: key, validFor: validFor)
        } catch let error as CacheError {
            throw IAMError(error)
        }
    }
}

extension GoogleServers {
    /// Creates an empty cache of values that are fetched from Google.
    fileprivate func cache<Key, Value>(
        minimumRemaining: Seconds = CacheConfiguration().minimumRemaining,
        refreshAhead: Seconds = CacheConfiguration().refreshAhead,
        _ fetch: @escaping @Sendable (Key) async throws -> Fetched<Value>
    ) -> ExpiringCache<Key, Value> {
        var configuration = CacheConfiguration()
        configuration.minimumRemaining = minimumRemaining
        configuration.refreshAhead = refreshAhead
        configuration.capacity = 100
        configuration.fetchTimeout = 5
        // Callers wait for a fetch, which is bounded by itself.
        configuration.callTimeout = .infinity
        configuration.maximumRetryAfter = 300
        return ExpiringCache(
            configuration: configuration,
            clock: clock.cache,
            scheduler: clock.scheduler,
            random: clock.random
        ) { key, _ in try await fetch(key) }
    }
}

extension ServiceClock {
    /// Seconds since a fixed moment, on the clock that only goes forward.
    var uptime: Seconds { Seconds(monotonic) / 1e9 }
}
