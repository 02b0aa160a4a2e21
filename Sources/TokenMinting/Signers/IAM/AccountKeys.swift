import ExpiringCache
import JOSE
import ServiceSupport
import Timing

/// Service accounts' public keys as Google publishes them, by the account's address.
typealias AccountKeys = ExpiringCache<String, JWKSet>

extension AccountKeys {
    /// For how many seconds a set is kept when it cannot be fetched again: less than a key outlives its last signature.
    static let lifetime: Seconds = 6 * 3600
    /// After how many seconds it is fetched again.
    static let refreshAfter: Seconds = 3600
    /// The least seconds between two fetches for a key that isn't known.
    static let refetchInterval: Seconds = 1

    /// Creates an empty cache.
    convenience init(_ http: any OutgoingHTTP, endpoints: GoogleEndpoints, clock: ServiceClock) {
        var configuration = CacheConfiguration.google
        configuration.minimumRemaining = 0
        self.init(
            configuration: configuration,
            clock: clock.cache,
            scheduler: clock.scheduler,
            random: clock.random
        ) { account, _ in
            let keys = try await PublishedKeys(http: http, endpoints: endpoints).keys(of: account)
            // Keys that Google has mislaid must not make us forget the last ones.
            guard !keys.keys.isEmpty else { throw IAMError(.malformed, "Google publishes no keys for \(account).") }
            return Fetched(keys, lifetime: Self.lifetime, refreshAfter: Self.refreshAfter)
        }
    }
}
