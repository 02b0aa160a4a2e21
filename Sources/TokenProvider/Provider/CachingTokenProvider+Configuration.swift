import ExpiringCache
import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CachingTokenProvider {
    /// How a token server is asked, and how tokens are kept and refreshed.
    ///
    /// The defaults need no tuning for Fleet Engine's tokens, which live for an hour. All times are in seconds; a
    /// negative time counts as zero, and `.infinity` means no limit.
    public struct Configuration: Sendable {
        /// How the token server is asked: answer format, path, time-out, insecure HTTP for development, transport.
        ///
        /// It is for ``CachingTokenProvider/init(server:configuration:observer:credentials:)``; other sources don't use it.
        public var http = HTTPTokenSource.Configuration()

        /// How long a token must still live to be handed out: 300, half its lifetime where that is less.
        ///
        /// The SDKs' references ask for five minutes. A token that lives less than ten is useful for half of its life.
        public var minimumValidity: TimeInterval = 300

        /// How long before that moment a refresh begins, at the earliest: 600, a fifth of the lifetime where that is less.
        ///
        /// The moment is drawn at random from the first half of that span, once for each token, so that a fleet whose
        /// tokens began together doesn't refresh together. The second half is for a token server that is down: an outage
        /// of five minutes goes unnoticed. It costs a tenth more fetches than waiting to the last.
        public var refreshAhead: TimeInterval = 600

        /// After how long a fetch is given up: 15.
        ///
        /// ``HTTPTokenSource`` gives up a request after 10, with an error that says more. The rest is for renewing
        /// credentials. It counts from when the fetch's turn came. A source that goes on nevertheless, such as a callback that never comes, takes one of three places
        /// of its scope for a minute, or until ``CachingTokenProvider/removeAll()``.
        public var fetchTimeout: TimeInterval = 15

        /// How long a call waits unless it says otherwise: 30, after which React Native's SDK gives up as well.
        public var callTimeout: TimeInterval = 30

        /// The pause after a first failure and the longest pause: 0.5 to 30.
        ///
        /// It doubles with each failure, and half of it is drawn at random. Shorter pauses would be retries in disguise,
        /// longer ones would keep a driver waiting after the network is back.
        public var backoff: ClosedRange<TimeInterval> = 0.5...30

        /// How long the pause is when the server refused and trying again won't help: 30 more than after other failures.
        ///
        /// ``CachingTokenProvider/removeAll()``, which a sign-out calls anyway, ends it.
        public var denialLifetime: TimeInterval = 30

        /// How many tokens are kept: 1,000.
        ///
        /// An app needs one or two; a backend or simulator needs one for each trip and vehicle that is active. A token
        /// takes about two kilobytes.
        public var capacity = 1_000

        /// How many fetches run at once, of all scopes together: 32; at least one.
        ///
        /// Further ones wait for their turn: those that callers wait for go before refreshes, then the one that came
        /// first. `fetchTimeout` begins with the turn. A backend that begins with *n* tokens at once, from a server that
        /// takes *s* seconds for one, has them after *n* × *s* / 32 seconds.
        public var maximumConcurrentFetches = 32

        /// Creates the default configuration.
        public init() {}

        var cache: CacheConfiguration {
            var configuration = CacheConfiguration()
            configuration.minimumRemaining = minimumValidity
            configuration.refreshAhead = refreshAhead
            configuration.fetchTimeout = fetchTimeout
            configuration.callTimeout = callTimeout
            configuration.backoff = backoff
            configuration.denialLifetime = denialLifetime
            configuration.capacity = capacity
            configuration.maximumConcurrentFetches = maximumConcurrentFetches
            configuration.maximumRetryAfter = RetryAfter.maximum
            return configuration
        }
    }
}
