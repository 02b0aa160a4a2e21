import ExpiringCache
import FleetToken
package import JOSE
package import ServiceSupport

/// Google's services for signing without a key file, with caches of their responses.
///
/// All signers share it: one access token and one set of keys, however many kinds are signed with them.
package struct GoogleClient: Sendable {
    let http: any OutgoingHTTP
    let endpoints: GoogleEndpoints
    package let clock: ServiceClock
    let accessTokens: AccessTokens
    let newAccessTokens: NewAccessTokens
    let accountKeys: AccountKeys

    /// Creates a client with empty caches.
    ///
    /// - Parameters:
    ///   - http: Sends its requests.
    ///   - endpoints: Where Google is.
    ///   - clock: The time.
    package init(http: any OutgoingHTTP, endpoints: GoogleEndpoints = .google, clock: ServiceClock) {
        self.http = http
        self.endpoints = endpoints
        self.clock = clock
        accessTokens = AccessTokens(http, endpoints: endpoints, clock: clock)
        newAccessTokens = NewAccessTokens(http, endpoints: endpoints, clock: clock)
        accountKeys = AccountKeys(http, endpoints: endpoints, clock: clock)
    }

    /// Returns the keys that Google publishes for a service account, fetched now and not cached.
    ///
    /// - Throws: ``IAMError`` that describes the fix.
    package func publishedKeys(of account: String) async throws(IAMError) -> JWKSet {
        try await PublishedKeys(http: http, endpoints: endpoints).keys(of: account)
    }

    func accessToken(_ credentials: GoogleCredentials) async throws -> Secret {
        do {
            return try await accessTokens.value(for: credentials)
        } catch let error as CacheError {
            throw IAMError(error)
        }
    }

    /// Returns a new access token for one that was rejected; nil if its source returns the same one again.
    ///
    /// The rejected token stays cached: it may be valid for other accounts.
    ///
    /// - Throws: ``IAMError``, or `CancellationError`.
    func replacement(of token: Secret, _ credentials: GoogleCredentials) async throws -> NewAccessToken? {
        do {
            let new = try await newAccessTokens.value(for: credentials)
            return new.token == token ? nil : new
        } catch let error as CacheError {
            throw IAMError(error)
        }
    }

    /// Uses a token that was taken from now on, unless another is in use already.
    func keep(_ new: NewAccessToken, insteadOf token: Secret, _ credentials: GoogleCredentials) {
        guard accessTokens.cachedValue(for: credentials) == token else { return }
        accessTokens.insert(Fetched(new.token, lifetime: new.expiry - clock.uptime), for: credentials)
    }

    /// Returns the key with an ID, and fetches it if it is unknown: Google rotates its keys at any time.
    ///
    /// - Throws: ``IAMError``, or `CancellationError`.
    func key(named id: String, of account: String) async throws -> JWK {
        do {
            let known = try await accountKeys.value(for: account)
            if let key = known[id] { return key }
            // A set with this remaining lifetime is younger than the minimum time between fetches, so it is returned
            // without a fetch.
            let newer = try await accountKeys.value(
                for: account,
                validFor: AccountKeys.lifetime - AccountKeys.refetchInterval
            )
            if let key = newer[id] { return key }
        } catch let error as CacheError {
            throw IAMError(error)
        }
        throw IAMError(
            .unavailable,
            "Google signed with a key that it has not published for \(account) yet.",
            retry: .retryable(after: AccountKeys.refetchInterval)
        )
    }
}
