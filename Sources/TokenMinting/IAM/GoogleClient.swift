import ExpiringCache
import FleetToken
package import JOSE

/// What signing without a key file takes of Google, with what is kept of its answers.
///
/// All signers share it: one access token and one set of keys, however many kinds are signed with them.
package struct GoogleClient: Sendable {
    let transport: any GoogleTransport
    let endpoints: GoogleEndpoints
    let time: GoogleTime
    let accessTokens: AccessTokens
    let newAccessTokens: NewAccessTokens
    let accountKeys: AccountKeys

    /// A client that knows nothing yet.
    ///
    /// - Parameters:
    ///   - transport: Sends its requests.
    ///   - endpoints: Where Google is.
    ///   - time: The time that it goes by.
    package init(transport: any GoogleTransport, endpoints: GoogleEndpoints = .google, time: GoogleTime = .system) {
        self.transport = transport
        self.endpoints = endpoints
        self.time = time
        accessTokens = AccessTokens(transport, endpoints, time)
        newAccessTokens = NewAccessTokens(transport, endpoints, time)
        accountKeys = AccountKeys(transport, endpoints, time)
    }

    /// The keys that Google publishes for a service account, asked for now and not remembered.
    ///
    /// - Throws: ``IAMError`` that says what to do.
    package func publishedKeys(of account: String) async throws(IAMError) -> JWKSet {
        try await PublishedKeys(transport: transport, endpoints: endpoints).keys(of: account)
    }

    func accessToken(_ credentials: GoogleCredentials) async throws -> Secret {
        do {
            return try await accessTokens.value(for: credentials)
        } catch let error as CacheError {
            throw IAMError(error)
        }
    }

    /// A new access token for one that was refused; nil when its source hands out the same one again.
    ///
    /// The one that was refused stays where it is: it may be good for other accounts.
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
        accessTokens.insert(Fetched(new.token, lifetime: new.expiry - time.uptime), for: credentials)
    }

    /// The key with an ID, which is fetched if it isn't known: Google changes its keys whenever it likes.
    ///
    /// - Throws: ``IAMError``, or `CancellationError`.
    func key(named id: String, of account: String) async throws -> JWK {
        do {
            let known = try await accountKeys.value(for: account)
            if let key = known[id] { return key }
            // A set that is good for so long is younger than the least time between fetches, and comes without another one.
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
            "Google signed with a key that is not among those which it publishes for \(account) yet.",
            retry: .retryable(after: AccountKeys.refetchInterval)
        )
    }
}
