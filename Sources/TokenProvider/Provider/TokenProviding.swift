public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A provider of tokens: a ``CachingTokenProvider``, or its substitute in a test or preview.
///
/// Use `any TokenProviding` as the type of a provider in your own types.
public protocol TokenProviding: Sendable {
    /// Returns a token for the scope.
    ///
    /// - Throws: ``TokenProviderError``, or `CancellationError` if the task is cancelled while it waits.
    nonisolated(nonsending) func token(for scope: TokenScope, options: TokenRequestOptions) async throws -> Token

    /// Returns the current token, if it is usable and has the required remaining lifetime in seconds.
    func cachedToken(for scope: TokenScope, validFor: TimeInterval) -> Token?

    /// Drops a token that Fleet Engine rejected with `UNAUTHENTICATED`, so that the next call fetches another.
    ///
    /// - Returns: Whether the token was the current one of its scope.
    @discardableResult
    func invalidate(_ rejected: Token) -> Bool

    /// Removes a scope's token.
    func remove(_ scope: TokenScope)

    /// Removes all tokens; call it at sign-out.
    func removeAll()
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
}
