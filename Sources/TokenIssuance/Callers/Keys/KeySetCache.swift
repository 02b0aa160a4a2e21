package import ExpiringCache
import Logging
import Telemetry
import TokenMinting

/// All issuers' key sets, each fetched by one fetch at a time.
package typealias KeySetCache = ExpiringCache<KeySetPlan, IssuerKeySet>

extension KeySetCache {
    /// A cache without keys yet.
    package convenience init(_ fetching: KeySetFetching) {
        self.init(
            configuration: .keySets,
            clock: fetching.clock,
            scheduler: fetching.scheduler
        ) { plan, _ in
            do {
                let keys = try IssuerKeySet(parsing: try await fetching.document(at: plan.place))
                fetching.metrics?.fetchedKeys(plan, .fetched)
                return Fetched(
                    keys,
                    lifetime: Double(plan.maxStale),
                    refreshAfter: Double(plan.refresh),
                    // With keys at hand there is no hurry, and a token made up must not lead to one request after another.
                    retryInterval: Double(plan.refetchInterval)
                )
            } catch {
                fetching.metrics?.fetchedKeys(plan, .failed)
                fetching.logger.warning(
                    "An issuer's keys cannot be had.",
                    metadata: ["keys": "\(plan.place)", "error": "\(KeySetFetching.text(of: error))"]
                )
                throw FetchFailed(retry: .retryable(after: (error as? KeySetTransferError)?.retryAfter))
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
        // Whoever waits does so for a fetch, and that one ends.
        configuration.callTimeout = .infinity
        configuration.backoff = 1...60
        // Without keys no caller gets in, so an issuer is left alone for a minute at most, whatever it asks for.
        configuration.maximumRetryAfter = 60
        return configuration
    }
}

extension KeySetFetching {
    fileprivate func document(at place: KeySetPlan.Place) async throws -> [UInt8] {
        switch place {
        case .file(let path):
            // It is read again and again, and not only with the rest of the configuration.
            try TrustedFile(path).require()
            return try KeyFile.read(path)
        case .url(let url):
            let answer = try await transfer(url)
            guard answer.status == 200 else {
                throw KeySetTransferError(
                    "The answer has status \(answer.status), where 200 is expected.",
                    retryAfter: answer.retryAfter
                )
            }
            return answer.body
        }
    }

    fileprivate static func text(of error: any Error) -> String {
        // The cache cancels what takes too long.
        if Task.isCancelled { return "Fetching timed out." }
        return (error as? KeySetTransferError)?.description ?? OperatorMessage(error).description
    }
}
