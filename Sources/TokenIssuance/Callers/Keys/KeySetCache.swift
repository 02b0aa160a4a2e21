package import ExpiringCache
import Logging
import ServiceSupport

/// All issuers' key sets, each fetched by one fetch at a time.
package typealias KeySetCache = ExpiringCache<KeySetPlan, IssuerKeySet>

extension KeySetCache {
    /// Creates an empty cache.
    package convenience init(_ fetching: KeySetFetching) {
        self.init(
            configuration: .keySets,
            clock: fetching.clock.cache,
            scheduler: fetching.clock.scheduler,
            random: fetching.clock.random
        ) { plan, _ in
            do {
                let keys = try await fetching.keys(of: plan)
                fetching.metrics?.fetched(plan, .fetched)
                return Fetched(
                    keys,
                    lifetime: Double(plan.maxStale),
                    refreshAfter: Double(plan.refresh),
                    // With cached keys there is no urgency, and forged tokens must not cause a series of requests.
                    retryInterval: Double(plan.refetchInterval)
                )
            } catch {
                fetching.metrics?.fetched(plan, .failed)
                fetching.logger.warning(
                    "Fetching the issuer's keys failed.",
                    metadata: ["keys": "\(plan.source)", "error": "\(KeySetFetching.text(of: error))"]
                )
                throw FetchFailed(retry: .retryable(after: (error as? KeySetFetchError)?.retryAfter))
            }
        }
    }
}

/// Tells the cache when to try again.
private struct FetchFailed: FetchFailure {
    let retry: FetchRetry
}

extension CacheConfiguration {
    fileprivate static var keySets: Self {
        var configuration = Self()
        // They are good until they expire; how early they are refreshed comes with each set.
        configuration.minimumRemaining = 0
        configuration.fetchTimeout = 5
        // Callers wait for a fetch, which is bounded by itself.
        configuration.callTimeout = .infinity
        configuration.backoff = 1...60
        // Without keys no caller is authenticated, so an issuer's `Retry-After` is limited to one minute.
        configuration.maximumRetryAfter = 60
        return configuration
    }
}

extension KeySetFetching {
    fileprivate static func text(of error: any Error) -> String {
        // The cache cancels fetches that take too long.
        if Task.isCancelled { return "Fetching timed out." }
        return (error as? KeySetFetchError)?.description ?? OperatorMessage(error).description
    }
}
