public import FleetToken
public import Foundation

/// A provider of tokens: a ``CachingTokenProvider``, or its substitute in a test or preview.
///
/// Use `any TokenProviding` as the type of a provider in types that only use tokens, and ``CachingTokenProvider`` in those
/// that also prepare, observe or remove them.
public protocol TokenProviding: Sendable {
    /// Returns a token for the scope.
    ///
    /// - Parameters:
    ///   - scope: The scope of the token.
    ///   - validFor: The minimum remaining lifetime in seconds, if it is more than the provider's own minimum.
    /// - Returns: The token.
    /// - Throws: ``TokenProviderError``, or `CancellationError` if the task is cancelled while it waits.
    nonisolated(nonsending) func token(for scope: TokenScope, validFor: TimeInterval) async throws -> Token

    /// Drops a token that Fleet Engine rejected with `UNAUTHENTICATED`, so that the next call fetches another.
    ///
    /// A provider that keeps no tokens returns false.
    ///
    /// - Returns: Whether the token was the current one of its scope.
    @discardableResult
    func invalidate(_ rejected: Token) -> Bool
}

extension TokenProviding {
    /// Returns a token for the scope, with at least the provider's own minimum of remaining lifetime.
    ///
    /// - Throws: ``TokenProviderError``, or `CancellationError` if the task is cancelled while it waits.
    @inlinable
    nonisolated(nonsending) public func token(for scope: TokenScope) async throws -> Token {
        try await token(for: scope, validFor: 0)
    }
}
