public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A provider whose token is always the same, for previews.
///
/// Create it with ``TokenProviding/constant(_:)``.
public struct ConstantTokenProvider: TokenProviding {
    private let value: Secret

    fileprivate init(_ value: Secret) {
        self.value = value
    }

    /// Returns the token, for any scope, with an hour to live.
    nonisolated(nonsending) public func token(
        for scope: TokenScope,
        options: TokenRequestOptions
    ) async throws -> Token {
        constant(scope)
    }

    /// Returns the token, for any scope, with an hour to live.
    public func cachedToken(for scope: TokenScope, validFor: TimeInterval) -> Token? { constant(scope) }

    /// Does nothing.
    public func invalidate(_ rejected: Token) -> Bool { false }
    /// Does nothing.
    public func remove(_ scope: TokenScope) {}
    /// Does nothing.
    public func removeAll() {}

    private func constant(_ scope: TokenScope) -> Token {
        Token(value, scope: scope, expirationDate: Date(timeIntervalSinceNow: 3600))
    }
}

extension TokenProviding where Self == ConstantTokenProvider {
    /// A provider whose token is always this text, for previews.
    ///
    /// Fleet Engine accepts none of it, unless the text is a token that is valid.
    public static func constant(_ text: String) -> Self { Self(Secret(text)) }
}
