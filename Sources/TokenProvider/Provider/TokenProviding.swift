public import FleetToken
public import Foundation

/// A provider of tokens: a ``CachingTokenProvider``, or its substitute in a test or preview.
///
/// Use `any TokenProviding` as the type of a provider in types that only use tokens, and ``CachingTokenProvider`` in those
/// that also prepare, observe or remove them. To conform, a type needs ``token(for:options:)`` and ``invalidate(_:)``.
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

/// Further requirements of a call, besides the scope.
///
/// Options may be added; each has a default that changes nothing.
public struct TokenRequestOptions: Hashable, Sendable {
    /// The minimum remaining lifetime of the token in seconds, if it is more than the provider's
    /// ``CachingTokenProvider/Configuration/minimumValidity``: 0.
    public var validFor: TimeInterval = 0
    /// The maximum number of seconds to wait; nil for the provider's
    /// ``CachingTokenProvider/Configuration/callTimeout``.
    public var timeout: TimeInterval?
    /// Whether to fetch a new token even if a usable token is cached: false.
    ///
    /// A running fetch counts as new. Pauses after failures still apply. If Fleet Engine rejected a token, use
    /// ``TokenProviding/invalidate(_:)`` instead, which fetches once regardless of the number of reports.
    public var forcingRefresh = false

    /// Creates options.
    public init(validFor: TimeInterval = 0, timeout: TimeInterval? = nil, forcingRefresh: Bool = false) {
        self.validFor = validFor
        self.timeout = timeout
        self.forcingRefresh = forcingRefresh
    }
}

/// A call for a token that can be cancelled.
public struct TokenCall: Sendable, CustomStringConvertible {
    private let cancellation: @Sendable () -> Void

    /// Creates a call from a function that cancels it, for a custom ``TokenProviding``.
    public init(cancel: @escaping @Sendable () -> Void) {
        cancellation = cancel
    }

    /// Completes the call with ``TokenErrorCode/cancelled``, unless its token has already
    /// arrived.
    ///
    /// No other call is affected. A call that isn't cancelled completes even if this value is released.
    public func cancel() {
        cancellation()
    }

    /// The type's name.
    public var description: String { "TokenCall" }
}
