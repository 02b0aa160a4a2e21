import ExpiringCache
import JOSE
import Logging
import TokenMinting

/// An issuer's keys as they are now: fetched when somebody needs them, by one fetch at a time, and kept.
///
/// They are fetched again when they are old and, at a bounded rate, when a token names one that isn't among them. If that
/// fails, the last good ones stay until they are too old to be trusted.
struct IssuerKeys: Sendable {
    private typealias Cache = ExpiringCache<JWTIssuerConfiguration.KeySource, IssuerKeySet>

    private let source: JWTIssuerConfiguration.KeySource
    private let cache: Cache
    /// How long a set must still live, in seconds, to be too young for another fetch.
    private let remainingWhenYoung: Double

    /// Keys that nobody has asked for yet.
    ///
    /// - Parameters:
    ///   - configuration: Where they are, and how often they are fetched.
    ///   - callerName: What the log knows the issuer by.
    ///   - fetching: How they are fetched.
    /// - Throws: ``ConfigurationError`` when their URL is not one that is taken.
    init(
        _ configuration: JWTIssuerConfiguration,
        callerName: String,
        fetching: KeySetFetching
    ) throws(ConfigurationError) {
        source = configuration.keys
        remainingWhenYoung = Double(configuration.maxStale - configuration.refetchInterval)
        let document = try Self.document(source, fetching)
        let refetchInterval = Double(configuration.refetchInterval)
        cache = Cache(
            configuration: .issuerKeys(refetchInterval: refetchInterval),
            clock: fetching.clock,
            scheduler: fetching.scheduler
        ) { _, context in
            do {
                return Fetched(
                    try IssuerKeySet(parsing: try await document()),
                    lifetime: Double(configuration.maxStale),
                    refreshAfter: Double(configuration.refresh)
                )
            } catch {
                fetching.logger.warning(
                    "An issuer's keys cannot be had.",
                    metadata: ["caller": "\(callerName)", "error": "\(Self.text(of: error))"]
                )
                // With keys at hand there is no hurry, and a token made up must not lead to one request after another.
                let hasKeys = context.reason == .insufficient || context.reason == .refreshAhead
                throw FetchFailed(retry: .retryable(after: hasKeys ? refetchInterval : nil))
            }
        }
    }

    /// The keys.
    ///
    /// - Throws: ``AuthenticationFailure`` with code `keysUnavailable` when there are none that can be trusted.
    func current() async throws(AuthenticationFailure) -> IssuerKeySet {
        do {
            return try await cache.value(for: source)
        } catch {
            let seconds = (error as? CacheError)?.retryAfter.map { Int($0.rounded(.up)) }
            throw .init(.keysUnavailable, retryAfter: max(1, seconds ?? 1))
        }
    }

    /// The key with an ID, and the set that it is in.
    ///
    /// - Throws: ``AuthenticationFailure`` with code `unknownKey` when the issuer has none, or cannot be asked again yet,
    ///   and `keysUnavailable` as ``current()`` does.
    func key(named id: String) async throws(AuthenticationFailure) -> (IssuerKey, IssuerKeySet) {
        let known = try await current()
        if let key = known[id] { return (key, known) }
        guard let newer = try? await cache.value(for: source, validFor: remainingWhenYoung), let key = newer[id] else {
            throw .init(.unknownKey)
        }
        return (key, newer)
    }

    private static func document(
        _ source: JWTIssuerConfiguration.KeySource,
        _ fetching: KeySetFetching
    ) throws(ConfigurationError) -> @Sendable () async throws -> [UInt8] {
        switch source {
        case .file(let path): return { try KeyFile.read(path) }
        case .url(let text):
            let url = try KeySetURL(text, allowsLoopback: fetching.allowsLoopback)
            return {
                let answer = try await fetching.transfer(url)
                guard answer.status == 200 else {
                    throw KeySetTransferError("The answer has status \(answer.status), where 200 is expected.")
                }
                return answer.body
            }
        }
    }

    private static func text(of error: any Error) -> String {
        (error as? KeySetTransferError)?.description ?? OperatorMessage(error).description
    }
}

/// Tells the cache when to try again.
private struct FetchFailed: FetchFailure {
    let retry: FetchRetry
}

extension CacheConfiguration {
    /// For one issuer's keys.
    fileprivate static func issuerKeys(refetchInterval: Double) -> Self {
        var configuration = Self()
        configuration.capacity = 1
        // They are good until they expire; how early they are refreshed comes with each set.
        configuration.minimumRemaining = 0
        configuration.fetchTimeout = 5
        // Whoever waits does so for a fetch, and that one ends.
        configuration.callTimeout = .infinity
        configuration.backoff = 1...refetchInterval
        return configuration
    }
}
