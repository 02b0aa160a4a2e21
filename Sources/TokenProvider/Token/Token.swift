// A call takes a scope of IDs: `import TokenProvider` alone must suffice.
@_exported public import FleetToken
public import Foundation

/// A usable token.
///
/// Its description and reflection don't show the token: to send it, use ``authorizationHeader`` or ``revealText()``.
public struct Token: Sendable {
    /// What a token consists of: a class, so that to copy a token, which each hit of the cache does, is to count one
    /// more reference.
    private final class Content: Sendable {
        let value: Secret
        let scope: TokenScope
        let expirationDate: Date

        init(_ value: Secret, scope: TokenScope, expirationDate: Date) {
            (self.value, self.scope, self.expirationDate) = (value, scope, expirationDate)
        }
    }

    private let content: Content

    /// The token's text, which is not displayed by accident.
    package var value: Secret { content.value }
    /// The scope of the token.
    public var scope: TokenScope { content.scope }
    /// When the token expires by this device's clock, as it was set when the token was fetched.
    ///
    /// It is for display. Don't compare it with the current time to decide whether to use the token, because clocks may
    /// be set: call the provider each time, which is cheap.
    public var expirationDate: Date { content.expirationDate }

    /// Creates a token from its text, for previews, tests and custom providers.
    public init(_ text: String, scope: TokenScope, expirationDate: Date) {
        self.init(Secret(text), scope: scope, expirationDate: expirationDate)
    }

    package init(_ value: Secret, scope: TokenScope, expirationDate: Date) {
        content = Content(value, scope: scope, expirationDate: expirationDate)
    }

    /// Returns the token as text, to be sent but not displayed.
    public func revealText() -> String { value.revealText() }

    /// The value of an `Authorization` header field: `Bearer` and the token, to be sent but not displayed.
    public var authorizationHeader: String { "Bearer " + revealText() }
}

extension Token: CustomStringConvertible, CustomReflectable {
    /// The kind, such as `Token(driver, <redacted>)`; neither the token nor an ID.
    public var description: String { "Token(\(scope.kind.rawValue), \(value))" }
    /// A mirror with the kind and the expiration date, for functions such as `dump`.
    public var customMirror: Mirror {
        Mirror(self, children: ["kind": scope.kind.rawValue, "expirationDate": expirationDate])
    }
}

extension Token: Equatable {
    /// Returns whether values, scopes and expiration dates are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        // A cache's copies have one content: then no text is compared.
        lhs.content === rhs.content
            || lhs.value == rhs.value && lhs.scope == rhs.scope && lhs.expirationDate == rhs.expirationDate
    }
}

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
