public import FleetToken
public import Foundation

/// A provider of tokens: a ``CachingTokenProvider``, or its substitute in a test or preview.
///
/// Use `any TokenProviding` as the type of a provider in types that only use tokens, and ``TokenCaching`` in those that
/// also prepare, observe or remove them. To conform, a type needs ``token(for:options:)`` and ``invalidate(_:)``.
public protocol TokenProviding: Sendable {
    /// Returns a token for the scope.
    ///
    /// - Throws: ``TokenProviderError``, or `CancellationError` if the task is cancelled while it waits.
    nonisolated(nonsending) func token(for scope: TokenScope, options: TokenRequestOptions) async throws -> Token

    /// Gets a token and passes it to a completion handler; by default from a task.
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

    /// Drops a token that Fleet Engine rejected with `UNAUTHENTICATED`, so that the next call fetches another.
    ///
    /// A provider that keeps no tokens returns false.
    ///
    /// - Returns: Whether the token was the current one of its scope.
    @discardableResult
    func invalidate(_ rejected: Token) -> Bool
}

/// A provider that keeps tokens: a ``CachingTokenProvider``, or a ``ConstantTokenProvider`` in a preview.
///
/// No method has a default: a type that forgot one would keep the last user's tokens.
public protocol TokenCaching: TokenProviding {
    /// Returns the current token, if it is usable and has the required remaining lifetime in seconds.
    func cachedToken(for scope: TokenScope, validFor: TimeInterval) -> Token?

    /// Starts to fetch the tokens that are missing or due for a refresh, without waiting for them.
    func prefetch(_ scopes: some Sequence<TokenScope>)

    /// Removes a scope's token.
    func remove(_ scope: TokenScope)

    /// Removes all tokens; call it at sign-out.
    func removeAll()

    /// Discards everything that belongs to the previous credentials; call it after a user has signed in or changed.
    func credentialsDidChange()

    /// The changes of tokens from now on.
    var changes: AsyncStream<TokenProviderEvent> { get }

    /// Returns the state of a scope's token: the current state first, and then each change.
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

extension TokenCaching {
    /// Returns the current token, if it is usable.
    @inlinable
    public func cachedToken(for scope: TokenScope) -> Token? {
        cachedToken(for: scope, validFor: 0)
    }
}

extension TokenProviderError {
    /// The only error of a call without a task that doesn't come from the cache.
    static let cancelled = Self(.cancelled, "The call was cancelled.")
}
