import FleetToken
import JOSE
package import ServiceSupport

/// Google's services for signing without a key file, with caches of their responses.
///
/// All signers share it: one access token and one set of keys, however many kinds are signed with them.
package struct GoogleClient: Sendable {
    /// The age at which an access token that Google rejects is fetched again, however many accounts it is rejected for.
    static let tokenRefetchInterval = Duration.seconds(5)
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
    /// Service accounts' public keys as Google publishes them, by the account's address.
    let accountKeys: FetchedByAccount<String, JWKSet>

    package var clock: ServiceClock { requests.clock }

    /// Creates a client with empty caches.
    package init(http: any OutgoingHTTP, addresses: GoogleAddresses = .google, clock: ServiceClock) {
        let requests = GoogleRequests(http: http, addresses: addresses, clock: clock)
        self.requests = requests
        accessTokens = FetchedByAccount(clock: clock) { (credentials) async throws(IAMError) in
            try await requests.accessToken(credentials)
        }
        accountKeys = FetchedByAccount(clock: clock) { (account) async throws(IAMError) in
            let keys = try await requests.publishedKeys(of: account)
            // An empty key set must not replace the last good one.
            guard !keys.keys.isEmpty else { throw IAMError("Google publishes no keys for \(account).") }
            return Fresh(keys, lifetime: Self.keysLifetime, refreshAfter: Self.keysRefreshAfter)
        }
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
