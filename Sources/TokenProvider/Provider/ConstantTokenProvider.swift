public import FleetToken
public import Foundation

/// A provider that always returns the same token, for previews.
///
/// It can stand for a ``CachingTokenProvider`` everywhere: its state is always ``TokenState/available(_:)``.
///
/// Create it with ``TokenProviding/constant(_:)``.
public struct ConstantTokenProvider: TokenCaching {
    private let value: Secret

    fileprivate init(_ text: String) {
        value = Secret(text)
    }

    /// Returns the token, for any scope, with a lifetime of an hour.
    nonisolated(nonsending) public func token(
        for scope: TokenScope,
        options: TokenRequestOptions
    ) async throws -> Token {
        constant(scope)
    }

    /// Returns the token, for any scope, with a lifetime of an hour.
    public func cachedToken(for scope: TokenScope, validFor: TimeInterval) -> Token? { constant(scope) }

    /// Returns false: there is no other token.
    public func invalidate(_ rejected: Token) -> Bool { false }
    /// Does nothing: there is nothing to fetch.
    public func prefetch(_ scopes: some Sequence<TokenScope>) {}
    /// Does nothing: the text is no user's.
    public func remove(_ scope: TokenScope) {}
    /// Does nothing: the text is no user's.
    public func removeAll() {}
    /// Does nothing: there are no credentials.
    public func credentialsDidChange() {}
    /// A stream that ends immediately.
    public var changes: AsyncStream<TokenProviderEvent> { AsyncStream { $0.finish() } }

    /// Returns a stream of one state, ``TokenState/available(_:)``.
    public func states(of scope: TokenScope) -> AsyncStream<TokenState> {
        AsyncStream { continuation in
            continuation.yield(.available(constant(scope)))
            continuation.finish()
        }
    }

    private func constant(_ scope: TokenScope) -> Token {
        Token(value, scope: scope, expirationDate: Date(timeIntervalSinceNow: 3600))
    }
}

extension TokenProviding where Self == ConstantTokenProvider {
    /// Creates a provider that always returns this text as its token, for previews.
    ///
    /// Fleet Engine rejects it, unless the text is a valid token.
    public static func constant(_ text: String) -> Self { Self(text) }
}
