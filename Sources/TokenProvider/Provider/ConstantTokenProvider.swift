public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A provider that always returns the same token, for previews.
///
/// It can stand for a ``CachingTokenProvider`` everywhere: its state is always ``TokenState/available(_:)``.
///
/// Create it with ``TokenProviding/constant(_:)``.
public struct ConstantTokenProvider: TokenProviding {
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
