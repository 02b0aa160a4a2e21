package import ExpiringCache
import FleetToken
public import Foundation

extension CachingTokenProvider {
    /// Settings for requests to a token server, and for caching and refreshing tokens.
    ///
    /// The defaults need no tuning for Fleet Engine's tokens, which are valid for an hour. All times are in seconds; a
    /// negative time counts as zero, and `.infinity` means no limit.
    public struct Configuration: Sendable {
        /// Settings for requests to the token server: response format, path, timeout, insecure HTTP for development,
        /// transport.
        ///
        /// They apply to ``CachingTokenProvider/init(server:configuration:observer:credentials:)``; other sources don't
        /// use them.
        public var http = HTTPTokenSource.Configuration()

        /// The minimum remaining lifetime of a returned token: 300, or half its lifetime where that is less.
        ///
        /// The SDKs' references require five minutes. A token with a lifetime of less than ten minutes is usable for
        /// half of it.
        public var minimumValidity: TimeInterval = 300

        /// How long before that moment a refresh begins at the earliest: 600, or a fifth of the lifetime where that is
        /// less.
        ///
        /// The moment is drawn at random from the first half of that span, once for each token, so that a fleet whose
        /// tokens began together doesn't refresh together. The second half covers an outage of the token server: five
        /// minutes go unnoticed. Refreshing ahead costs a tenth more fetches than waiting until the end.
        public var refreshAhead: TimeInterval = 600

        /// The time limit of a fetch: 15.
        ///
        /// ``HTTPTokenSource`` ends a request after 10, with a more specific error. The rest is for renewing
        /// credentials. The time counts from the start of the fetch, after any queueing. A source that ignores
        /// cancellation, such as one with a callback that is never called, occupies one of three slots of its scope for
        /// a minute, or until ``CachingTokenProvider/removeAll()``.
        public var fetchTimeout: TimeInterval = 15

        /// The maximum time that a call waits: 30, after which React Native's SDK gives up as well.
        public var callTimeout: TimeInterval = 30

        /// The maximum number of cached tokens: 1,000.
        ///
        /// An app needs one or two; a backend or simulator needs one for each active trip and vehicle.
        public var capacity = 1_000

        /// The maximum number of concurrent fetches, of all scopes together: 32; at least one.
        ///
        /// Further fetches are queued: those that callers wait for go before refreshes, then in order of arrival.
        /// `fetchTimeout` counts from the start of the fetch. A backend that requests *n* tokens at once, from a server
        /// that takes *s* seconds for each, has them after *n* × *s* / 32 seconds.
        public var maximumConcurrentFetches = 32

        /// Creates the default configuration.
        public init() {}

        package var cache: CacheConfiguration {
            var configuration = CacheConfiguration()
            configuration.minimumRemaining = minimumValidity
            configuration.refreshAhead = refreshAhead
            configuration.fetchTimeout = fetchTimeout
            configuration.callTimeout = callTimeout
            configuration.capacity = capacity
            configuration.maximumConcurrentFetches = maximumConcurrentFetches
            configuration.maximumRetryAfter = RetryAfter.maximum
            return configuration
        }
    }
}
