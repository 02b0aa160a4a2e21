public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What gives an app its tokens: a ``CachingTokenProvider``, or what stands in for one in a test or preview.
///
/// Write it where a type of yours takes a provider, as `any TokenProviding`.
public protocol TokenProviding: Sendable {
    /// Returns a token that opens the scope.
    ///
    /// - Throws: ``TokenProviderError``, or `CancellationError` when the task is cancelled while it waits.
    nonisolated(nonsending) func token(for scope: TokenScope, options: TokenRequestOptions) async throws -> Token

    /// Returns the token that is there already, if it can be used and lives for so many seconds.
    func cachedToken(for scope: TokenScope, validFor: TimeInterval) -> Token?

    /// Drops a token that Fleet Engine rejected with `UNAUTHENTICATED`, so that the next call fetches another.
    ///
    /// - Returns: Whether the token was the current one of its scope.
    @discardableResult
    func invalidate(_ rejected: Token) -> Bool

    /// Drops a scope's token, which is no longer needed.
    func remove(_ scope: TokenScope)

    /// Drops all tokens, as a sign-out must.
    func removeAll()
}

extension TokenProviding {
    /// Returns a token that opens the scope.
    ///
    /// - Parameters:
    ///   - scope: What it opens.
    ///   - validFor: How many seconds it must still live, if more than the provider requires anyway.
    ///   - timeout: How many seconds to wait at most; nil for the provider's choice.
    ///   - forcingRefresh: Whether to fetch a new token even if there is one that can be used.
    /// - Returns: The token.
    /// - Throws: ``TokenProviderError``, or `CancellationError` when the task is cancelled while it waits.
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

    /// Returns the token that is there already, if it can be used.
    @inlinable
    public func cachedToken(for scope: TokenScope) -> Token? {
        cachedToken(for: scope, validFor: 0)
    }
}
