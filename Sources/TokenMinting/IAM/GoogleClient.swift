import FleetToken
import JOSE
package import ServiceSupport

/// Google's services for signing without a key file, with caches of their responses.
///
/// All signers share it: one access token and one set of keys, however many kinds are signed with them.
package struct GoogleClient: Sendable {
    /// An access token that was fetched a moment ago.
    struct NewAccessToken: Sendable {
        let accessToken: AccessToken
        /// When its request began, by ``ServiceClock/monotonic``.
        let start: Int64

        var token: Secret { accessToken.token }
    }

    /// How long an access token counts as new.
    static let newTokenLifetime = Duration.seconds(5)
    /// How long an account's keys are kept when they cannot be fetched again: less than a key outlives its last signature.
    static let keysLifetime = Duration.seconds(6 * 3600)
    /// The age at which they are fetched again.
    static let keysRefreshAfter = Duration.seconds(3600)
    /// The least time between two fetches for a key that isn't known.
    static let keysRefetchInterval = Duration.seconds(1)

    package let requests: GoogleRequests
    /// How IAM names the account of this machine, for messages: the member of a role's binding; nil if it was not asked.
    package var member: String?
    /// Access tokens by the account whose key file requests them, nil for that of this machine, pod or Cloud Run service; kept
    /// until shortly before they expire.
    let accessTokens: FetchedByAccount<ServiceAccount?, Secret>
    /// Access tokens that were fetched a moment ago, for accounts whose requests were refused with the usual one.
    ///
    /// However many accounts Google refuses, and however often, a new token is fetched once in that moment, and the usual
    /// one stays in use.
    private let newAccessTokens: FetchedByAccount<ServiceAccount?, NewAccessToken>
    /// Service accounts' public keys as Google publishes them, by the account's address.
    let accountKeys: FetchedByAccount<String, JWKSet>

    package var clock: ServiceClock { requests.clock }

    /// Creates a client with empty caches.
    package init(http: any OutgoingHTTP, addresses: GoogleAddresses = .google, clock: ServiceClock) {
        let requests = GoogleRequests(http: http, addresses: addresses, clock: clock)
        self.requests = requests
        accessTokens = FetchedByAccount(clock: clock) { (credentials) async throws(IAMError) in
            try await requests.accessToken(credentials).fresh()
        }
        newAccessTokens = FetchedByAccount(clock: clock) { (credentials) async throws(IAMError) in
            let start = clock.monotonic
            let new = NewAccessToken(accessToken: try await requests.accessToken(credentials), start: start)
            let lifetime = min(Self.newTokenLifetime, new.accessToken.lifetime)
            return Fresh(new, lifetime: lifetime, refreshAfter: lifetime)
        }
        accountKeys = FetchedByAccount(clock: clock) { (account) async throws(IAMError) in
            let keys = try await requests.publishedKeys(of: account)
            // Keys that Google has mislaid must not make us forget the last ones.
            guard !keys.keys.isEmpty else { throw IAMError("Google publishes no keys for \(account).") }
            return Fresh(keys, lifetime: Self.keysLifetime, refreshAfter: Self.keysRefreshAfter)
        }
    }

    /// Returns a new access token for one that was rejected; nil if its source returns the same one again.
    ///
    /// The rejected token stays cached: it may be valid for other accounts.
    ///
    /// - Throws: ``IAMError``.
    func replacement(of token: Secret, _ credentials: ServiceAccount?) async throws(IAMError) -> NewAccessToken? {
        let new = try await newAccessTokens.value(of: credentials)
        return new.token == token ? nil : new
    }

    /// Uses a token that was taken from now on, unless another is in use already.
    func keep(_ new: NewAccessToken, insteadOf token: Secret, _ credentials: ServiceAccount?) {
        guard accessTokens.current(of: credentials) == token else { return }
        accessTokens.insert(new.accessToken.fresh(aged: clock.duration(since: new.start)), of: credentials)
    }

    /// Returns the key with an ID, and fetches it if it is unknown: Google rotates its keys at any time.
    ///
    /// - Throws: ``IAMError``.
    func key(named id: String, of account: String) async throws(IAMError) -> JWK {
        if let key = try await accountKeys.value(of: account)[id] { return key }
        let newer = try await accountKeys.value(of: account, youngerThan: Self.keysRefetchInterval)
        if let key = newer[id] { return key }
        throw IAMError.temporary(
            "Google signed with a key that it has not published for \(account) yet.",
            after: Self.keysRefetchInterval
        )
    }
}
