public import FleetToken
public import Foundation

/// A provider of tokens: a ``CachingTokenProvider``, or its substitute in a test or preview.
///
/// Use `any TokenProviding` as the type of a provider in your own types. To conform, a type needs only
/// ``token(for:options:)``.
public protocol TokenProviding: Sendable {
    /// Returns a token for the scope.
    ///
    /// - Throws: ``TokenProviderError``, or `CancellationError` if the task is cancelled while it waits.
    nonisolated(nonsending) func token(for scope: TokenScope, options: TokenRequestOptions) async throws -> Token

    /// Gets a token and passes it to a completion handler.
    ///
    /// - Parameters:
    ///   - scope: The scope of the token.
    ///   - options: Further requirements.
    ///   - queue: The queue on which the completion handler is called.
    ///   - completion: A completion handler, called exactly once, on the queue and never before this method returns.
    /// - Returns: The call, which can be cancelled.
    @discardableResult
    func token(
        for scope: TokenScope,
        options: TokenRequestOptions,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Token, TokenProviderError>) -> Void
    ) -> TokenCall

    /// Returns the current token, if it is usable and has the required remaining lifetime in seconds.
    ///
    /// By default there is none.
    func cachedToken(for scope: TokenScope, validFor: TimeInterval) -> Token?

    /// Starts to fetch the tokens that are missing or due for a refresh, without waiting for them.
    ///
    /// By default it has no effect.
    func prefetch(_ scopes: some Sequence<TokenScope>)

    /// Drops a token that Fleet Engine rejected with `UNAUTHENTICATED`, so that the next call fetches another.
    ///
    /// - Returns: Whether the token was the current one of its scope; false by default.
    @discardableResult
    func invalidate(_ rejected: Token) -> Bool

    /// Removes a scope's token.
    ///
    /// By default it has no effect.
    func remove(_ scope: TokenScope)

    /// Removes all tokens; call it at sign-out.
    ///
    /// By default it has no effect.
    func removeAll()

    /// Discards everything that belongs to the previous credentials; call it after a user has signed in or changed.
    ///
    /// By default it removes all tokens.
    func credentialsDidChange()

    /// The changes of tokens from now on; by default there are none, and the stream ends immediately.
    var changes: AsyncStream<TokenProviderEvent> { get }

    /// Returns the state of a scope's token: the current state first, and then each change.
    ///
    /// By default it is the state of the cached token, and the stream ends after it.
    func states(of scope: TokenScope) -> AsyncStream<TokenState>
}

extension TokenProviding {
    /// Gets a token in a task, and passes it to a completion handler.
    @discardableResult
    public func token(
        for scope: TokenScope,
        options: TokenRequestOptions,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Token, TokenProviderError>) -> Void
    ) -> TokenCall {
        let task = Task.detached {
            let result: Result<Token, TokenProviderError>
            do {
                result = .success(try await token(for: scope, options: options))
            } catch is CancellationError {
                result = .failure(.cancelled)
            } catch {
                result = .failure(TokenProviderError(source: error))
            }
            queue.async { completion(result) }
        }
        return TokenCall { task.cancel() }
    }

    /// Returns nil.
    public func cachedToken(for scope: TokenScope, validFor: TimeInterval) -> Token? { nil }
    /// Does nothing.
    public func prefetch(_ scopes: some Sequence<TokenScope>) {}
    /// Returns false.
    public func invalidate(_ rejected: Token) -> Bool { false }
    /// Does nothing.
    public func remove(_ scope: TokenScope) {}
    /// Does nothing.
    public func removeAll() {}
    /// Removes all tokens.
    public func credentialsDidChange() { removeAll() }
    /// A stream that ends immediately.
    public var changes: AsyncStream<TokenProviderEvent> { AsyncStream { $0.finish() } }

    /// Returns a stream with the state of the cached token.
    public func states(of scope: TokenScope) -> AsyncStream<TokenState> {
        let state = cachedToken(for: scope).map { TokenState.available($0) } ?? .missing
        return AsyncStream { continuation in
            continuation.yield(state)
            continuation.finish()
        }
    }
}

extension TokenProviding {
    /// Returns a token for the scope.
    ///
    /// - Parameters:
    ///   - scope: The scope of the token.
    ///   - validFor: The minimum remaining lifetime in seconds, if it is more than the provider's own minimum.
    ///   - timeout: The maximum number of seconds to wait; nil for the provider's default.
    ///   - forcingRefresh: Whether to fetch a new token even if a usable token is cached.
    /// - Returns: The token.
    /// - Throws: ``TokenProviderError``, or `CancellationError` if the task is cancelled while it waits.
    @inlinable
    nonisolated(nonsending) public func token(
        for scope: TokenScope,
        validFor: TimeInterval = 0,
        timeout: TimeInterval? = nil,
        forcingRefresh: Bool = false
    ) async throws -> Token {
        let options = TokenRequestOptions(validFor: validFor, timeout: timeout, forcingRefresh: forcingRefresh)
        return try await token(for: scope, options: options)
    }

    /// Returns the current token, if it is usable.
    @inlinable
    public func cachedToken(for scope: TokenScope) -> Token? {
        cachedToken(for: scope, validFor: 0)
    }

    /// Gets a token and passes it to a completion handler on a queue.
    @discardableResult
    public func token(
        for scope: TokenScope,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Token, TokenProviderError>) -> Void
    ) -> TokenCall {
        token(for: scope, options: TokenRequestOptions(), queue: queue, completion: completion)
    }

    /// Gets a token and passes it to a completion handler on the main actor, such as a closure in a view controller.
    ///
    /// - Parameters:
    ///   - scope: The scope of the token.
    ///   - options: Further requirements.
    ///   - completion: A completion handler, called exactly once, on the main queue and never before this method
    ///     returns.
    /// - Returns: The call, which can be cancelled.
    @discardableResult
    public func token(
        for scope: TokenScope,
        options: TokenRequestOptions = TokenRequestOptions(),
        completion: @escaping @MainActor @Sendable (Result<Token, TokenProviderError>) -> Void
    ) -> TokenCall {
        token(for: scope, options: options, queue: .main) { result in
            MainActor.assumeIsolated { completion(result) }
        }
    }
}

extension TokenProviderError {
    /// The only error of a call without a task that doesn't come from the cache.
    static let cancelled = Self(.cancelled, "The call was cancelled.")
}
