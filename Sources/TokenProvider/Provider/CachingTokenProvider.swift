package import ExpiringCache
public import FleetToken
public import Foundation
package import Timing

/// Fetches, caches and refreshes tokens, as Google's SDKs require of an app.
///
/// ```swift
/// let tokens = CachingTokenProvider(server: URL(string: "https://tokens.example.com")!) { context in
///     ["Authorization": "Bearer \(try await session.accessToken(renewed: context.requiresNewCredentials))"]
/// }
/// let token = try await tokens.token(for: .driver(vehicle: ResourceID("vehicle-1")))
/// ```
///
/// - Each scope has its own token. Concurrent callers share one fetch of it; cancelling one of them affects no other.
/// - A returned token has at least five minutes left, or half its lifetime where that is less.
/// - A token is refreshed before that, while callers continue to get it; a failed refresh goes unnoticed as long as the
///   token is usable.
/// - After a failure, fetches of the scope pause, regardless of the number of callers. If the server is overloaded (503 with
///   `Retry-After`), refuses connections or limits the requests of several scopes (429), fetches of all scopes pause; then
///   one probes the server, and the others follow in growing numbers. A scope that fails while others succeed pauses
///   alone.
/// - Times are measured with clocks that cannot be set. Nothing is stored, and no timer runs without a caller.
///
/// Keep one provider for as long as a user is signed in. Call ``removeAll()`` at sign-out, and ``credentialsDidChange()``
/// after a sign-in. All methods may be called from any thread.
public final class CachingTokenProvider: TokenProviding {
    package let cache: ExpiringCache<TokenScope, Token>
    let broadcast = Broadcast<TokenProviderEvent>()
    /// The clocks, timers and randomness, also of a `FleetEngine` that uses this provider.
    package let environment: ProviderEnvironment
    /// The tokens that Google's SDKs received.
    let deliveredTokens: DeliveredTokens

    /// Creates a provider that requests tokens from a token server.
    ///
    /// - Parameters:
    ///   - server: The server's `https` URL. With an invalid URL, each call fails.
    ///   - configuration: The settings for requests (``Configuration/http``) and for caching.
    ///   - observer: Receives events. It is called often, and before a caller gets its result, so it must be quick.
    ///   - credentials: Returns the header fields that authenticate the caller; none for a server in development mode.
    ///     It is called once for each fetch, and once more if the server rejects the credentials.
    public convenience init(
        server: URL,
        configuration: Configuration = Configuration(),
        observer: (@Sendable (TokenProviderEvent) -> Void)? = nil,
        credentials: @escaping HTTPTokenSource.Credentials
    ) {
        let source = HTTPTokenSource(server: server, configuration: configuration.http, credentials: credentials)
        self.init(source: source, configuration: configuration, observer: observer)
    }

    /// Creates a provider of tokens from a source.
    public convenience init(
        source: some TokenSource,
        configuration: Configuration = Configuration(),
        observer: (@Sendable (TokenProviderEvent) -> Void)? = nil
    ) {
        self.init(configuration: configuration, observer: observer) { try await source.fetchToken(for: $0) }
    }

    /// Creates a provider of tokens from a function.
    public convenience init(
        configuration: Configuration = Configuration(),
        observer: (@Sendable (TokenProviderEvent) -> Void)? = nil,
        fetch: @escaping @Sendable (TokenFetchContext) async throws -> FetchedToken
    ) {
        self.init(configuration: configuration, observer: observer, environment: .system, fetch: fetch)
    }

    package init(
        configuration: Configuration,
        observer: (@Sendable (TokenProviderEvent) -> Void)?,
        environment: ProviderEnvironment,
        fetch: @escaping @Sendable (TokenFetchContext) async throws -> FetchedToken
    ) {
        self.environment = environment
        let clock = environment.clock
        deliveredTokens = DeliveredTokens(clock: clock)
        cache = ExpiringCache(
            configuration: configuration.cache,
            clock: clock,
            scheduler: environment.scheduler,
            random: environment.random,
            observer: { [broadcast] in
                let event = TokenProviderEvent($0)
                observer?(event)
                if event.isChange { broadcast.send(event) }
            },
            observesHits: observer != nil
        ) { scope, reason in
            let start = Date(timeIntervalSince1970: TimeInterval(clock.wall()) / 1e9)
            let context = TokenFetchContext(scope: scope, reason: TokenFetchReason(reason))
            do {
                let fetched = try await fetch(context)
                guard fetched.lifetime > 0 else {
                    throw TokenProviderError(
                        .alreadyExpired,
                        "The source's token had already expired. Check the clock of the server that issued it."
                    )
                }
                let end = start.addingTimeInterval(fetched.lifetime)
                return Fetched(Token(fetched.value, scope: scope, expirationDate: end), lifetime: fetched.lifetime)
            } catch {
                throw TokenProviderError(source: error)
            }
        }
    }

    deinit {
        broadcast.finish()
    }

    /// Returns a token for the scope, from the cache or from a fetch.
    ///
    /// - Throws: ``TokenProviderError``, or `CancellationError` if the task is cancelled while it waits.
    nonisolated(nonsending) public func token(for scope: TokenScope, validFor: TimeInterval) async throws -> Token {
        do {
            return try await cache.value(for: scope, validFor: validFor)
        } catch let error as CacheError {
            throw TokenProviderError(error)
        }
    }

    /// Returns the cached token, if it is usable and has the required remaining lifetime in seconds.
    ///
    /// It takes a fraction of a microsecond, allocates nothing and starts nothing.
    public func cachedToken(for scope: TokenScope, validFor: TimeInterval = 0) -> Token? {
        cache.cachedValue(for: scope, validFor: validFor)
    }

    /// Drops a token that Fleet Engine rejected with `UNAUTHENTICATED`, so that the next call fetches another.
    ///
    /// Many callers may report the same token, and late: a newer token is kept. The source is told that the last token
    /// was rejected, so that a server that reuses tokens creates a new one. If new tokens are rejected as well,
    /// fetching pauses as after a failure.
    ///
    /// - Returns: Whether the token was the cached one.
    @discardableResult
    public func invalidate(_ rejected: Token) -> Bool {
        cache.invalidate(rejected.scope) { $0.value == rejected.value }
    }

    /// Removes a scope's token, for example when its trip has ended.
    ///
    /// Calls that wait for it fail with ``TokenErrorCode/removed``.
    public func remove(_ scope: TokenScope) {
        cache.remove(scope)
        deliveredTokens.remove(scope)
    }

    /// Removes all tokens; call it at sign-out.
    ///
    /// After it returns, no caller gets a token whose fetch began before. Waiting calls fail with
    /// ``TokenErrorCode/removed``. The next call fetches at once, even if the last fetch was refused; only a pause after a
    /// server or network failure still applies.
    public func removeAll() {
        cache.removeAll()
        deliveredTokens.removeAll()
    }

    /// Discards everything that belongs to the previous credentials; call it after a user has signed in or changed.
    ///
    /// Tokens are removed, and pauses after refusals end, as with ``removeAll()``. But calls that wait don't fail:
    /// their fetches start again, with the new credentials. Call it after the credentials closure returns the new ones.
    public func credentialsDidChange() {
        cache.renewAll()
        deliveredTokens.removeAll()
    }

    /// Starts to fetch the tokens that are missing or due for a refresh, without waiting for them.
    public func prefetch(_ scopes: some Sequence<TokenScope>) {
        cache.prefetch(scopes)
    }

    /// The changes of tokens from now on: fetches that end, with or without a token, and tokens that are dropped.
    package var changes: AsyncStream<TokenProviderEvent> { broadcast.stream() }
}

/// The external dependencies of a provider: clocks, timers and randomness.
package struct ProviderEnvironment: Sendable {
    package var clock: AgeClock
    package var scheduler: Scheduler
    package var random: @Sendable () -> Double

    package init(
        clock: AgeClock = .system,
        scheduler: Scheduler = .system,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.clock = clock
        self.scheduler = scheduler
        self.random = random
    }

    package static let system = ProviderEnvironment()
}
