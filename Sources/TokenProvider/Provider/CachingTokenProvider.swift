import ExpiringCache
public import FleetToken
public import Foundation

/// Fetches, caches and refreshes tokens: what Google's SDKs ask of an app, done once.
///
/// ```swift
/// let tokens = CachingTokenProvider(server: URL(string: "https://tokens.example.com")!) {
///     ["Authorization": "Bearer \(try await session.accessToken())"]
/// }
/// let token = try await tokens.token(for: .driver(vehicle: ResourceID("vehicle-1")))
/// ```
///
/// - Each scope has its own token. Callers who ask for one that is being fetched wait for the one fetch; cancelling one
///   of them affects nobody else.
/// - A token that it returns has at least five minutes left, or half its lifetime where that is less.
/// - A token is refreshed before that, while callers go on getting it; a failing refresh goes unnoticed for as long as
///   the token can be used.
/// - After a failure it pauses before it asks again, as long as the server wants, however many callers there are.
/// - Times go by clocks that nobody can set. Nothing is stored, and no timer runs while nobody asks.
///
/// Keep one provider for as long as a user is signed in, and call ``removeAll()`` at sign-out. All methods may be called
/// from any thread.
public final class CachingTokenProvider: Sendable {
    /// Is told what happens.
    ///
    /// It is called often and on the way of a caller's answer, so it must be quick.
    public typealias Observer = @Sendable (TokenProviderEvent) -> Void

    private let cache: ExpiringCache<TokenScope, Token>
    /// What the SDKs were given.
    let handouts: Handouts

    /// A provider of tokens from a source.
    public convenience init(
        source: some TokenSource,
        configuration: Configuration = Configuration(),
        observer: Observer? = nil
    ) {
        self.init(configuration: configuration, observer: observer) { try await source.fetchToken(for: $0) }
    }

    /// A provider of tokens from a function.
    public convenience init(
        configuration: Configuration = Configuration(),
        observer: Observer? = nil,
        fetch: @escaping @Sendable (TokenScope) async throws -> FetchedToken
    ) {
        self.init(configuration: configuration, observer: observer, environment: .system, fetch: fetch)
    }

    init(
        configuration: Configuration,
        observer: Observer?,
        environment: Environment,
        fetch: @escaping @Sendable (TokenScope) async throws -> FetchedToken
    ) {
        let clock = environment.clock
        handouts = Handouts(capacity: configuration.capacity, clock: clock)
        var cacheObserver: ExpiringCache<TokenScope, Token>.Observer?
        if let observer {
            cacheObserver = { observer(TokenProviderEvent($0)) }
        }
        cache = ExpiringCache(
            configuration: configuration.cache,
            clock: clock,
            scheduler: environment.scheduler,
            random: environment.random,
            observer: cacheObserver
        ) { scope, _ in
            let start = Date(timeIntervalSince1970: TimeInterval(clock.wall()) / 1e9)
            do {
                let fetched = try await fetch(scope)
                guard fetched.lifetime > 0 else { throw TokenProviderError.alreadyExpired }
                let token = Token(value: fetched.value, expiresAt: start.addingTimeInterval(fetched.lifetime))
                return Fetched(token, lifetime: fetched.lifetime)
            } catch {
                throw SourceFailure(error: TokenProviderError(source: error))
            }
        }
    }

    /// A token that opens the scope.
    ///
    /// - Parameters:
    ///   - scope: What it opens.
    ///   - validFor: How many seconds it must still live, if more than the configuration's `minimumRemaining`.
    ///   - timeout: How many seconds to wait at most; nil for the configuration's `callTimeout`.
    /// - Returns: The cached token, or one that was fetched.
    /// - Throws: ``TokenProviderError``, or `CancellationError` when the task is cancelled while it waits.
    nonisolated(nonsending) public func token(
        for scope: TokenScope,
        validFor: TimeInterval = 0,
        timeout: TimeInterval? = nil
    ) async throws -> Token {
        do {
            return try await cache.value(for: scope, validFor: validFor, timeout: timeout)
        } catch let error as CacheError {
            throw TokenProviderError(error)
        }
    }

    /// The token that is in the cache, if it can be used.
    ///
    /// It takes a fraction of a microsecond, allocates nothing and starts nothing.
    public func cachedToken(for scope: TokenScope) -> Token? {
        cache.cachedValue(for: scope)
    }

    /// Gets a token and passes it to a function.
    ///
    /// - Parameters:
    ///   - scope: What it opens.
    ///   - validFor: How many seconds it must still live, if more than the configuration's `minimumRemaining`.
    ///   - timeout: How many seconds to wait at most; nil for the configuration's `callTimeout`.
    ///   - queue: Where the function is called.
    ///   - completion: Is called exactly once, on the queue and never from within this call. The provider lives until
    ///     then. However late the queue runs it, its token can be used at that moment: a token that has expired
    ///     meanwhile is fetched again, and a token that ``removeAll()`` dropped meanwhile is an error.
    public func token(
        for scope: TokenScope,
        validFor: TimeInterval = 0,
        timeout: TimeInterval? = nil,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Token, TokenProviderError>) -> Void
    ) {
        let delivery: @Sendable (@escaping @Sendable () -> Void) -> Void = { queue.async(execute: $0) }
        cache.value(for: scope, validFor: validFor, timeout: timeout, delivery: delivery) { [self] result in
            let result = result.mapError { error in
                // Without a caller's task there is nothing to cancel, so the error is the cache's own.
                (error as? CacheError).map { TokenProviderError($0) } ?? TokenProviderError(source: error)
            }
            withExtendedLifetime(self) { completion(result) }
        }
    }

    /// Drops a token that Fleet Engine rejected with `UNAUTHENTICATED`, so that the next call fetches another.
    ///
    /// Many callers may report one token, and late: a newer one stays. If new tokens are rejected as well, fetching
    /// pauses as after a failure.
    ///
    /// - Returns: Whether the token was the cached one.
    @discardableResult
    public func invalidate(_ rejected: Token, for scope: TokenScope) -> Bool {
        cache.invalidate(scope) { $0.value == rejected.value }
    }

    /// Drops all tokens, as a sign-out must.
    ///
    /// After it has returned no caller gets a token whose fetch began before. Calls that wait, or whose completion waits
    /// for its queue, fail with ``TokenProviderError/Code/invalidated``. The next call fetches at once, even if the last
    /// one was refused; only a server or network that is in trouble is still left alone for its pause.
    public func removeAll() {
        cache.removeAll()
        handouts.removeAll()
    }

    /// Starts to fetch the tokens that are missing or due for a refresh, and doesn't wait for them.
    public func prefetch(_ scopes: some Sequence<TokenScope>) {
        cache.prefetch(scopes)
    }
}

extension TokenProviderError {
    fileprivate static let alreadyExpired = Self(
        .alreadyExpired,
        "The source's token had expired already: check the clock of whoever issued it."
    )
}
