package import FleetToken
public import Foundation

/// A source of tokens: a function from a scope to a fetched token.
///
/// A source does not cache, retry or share: ``CachingTokenProvider`` does that for it. It may be called for several
/// scopes at once. A ``TokenProviderError`` that it throws specifies whether a retry makes sense, and what pauses:
///
/// - ``TokenErrorCode/unavailable`` with a ``TokenProviderError/retryAfter`` says that the server is
///   overloaded: all scopes pause, then one probes the server.
/// - ``TokenErrorCode/resourceExhausted`` pauses its scope, for the
///   ``TokenProviderError/retryAfter`` if it has one. If another scope gets it too, and none a token in between, all
///   scopes pause.
/// - A scope that fails repeatedly in these ways while others get tokens pauses alone.
/// - ``TokenErrorCode/unauthenticated`` without a ``TokenProviderError/httpStatus`` means that no
///   user is signed in, so the source sent no request: nothing pauses.
/// - Any other error pauses the scope. An error of another type is treated as transient.
public protocol TokenSource: Sendable {
    /// Fetches a token for exactly the context's scope.
    ///
    /// The task that runs it is cancelled when the fetch times out.
    func fetchToken(for context: TokenFetchContext) async throws -> FetchedToken
}

/// A token that a ``TokenSource`` fetched, and its lifetime.
///
/// Its description and reflection don't show the token.
public struct FetchedToken: Sendable, Hashable {
    /// The token's text, which is not displayed by accident.
    package let value: Secret
    /// The lifetime of the token in seconds, counted from the start of the fetch.
    ///
    /// It is a duration and not a date, so that a device with a wrong clock interprets it correctly. Zero or less means
    /// that the token had already expired, which a ``CachingTokenProvider`` treats as a failed fetch.
    public let lifetime: TimeInterval

    /// Creates a token from its text, with a lifetime in seconds from the start of its fetch.
    public init(_ text: String, lifetime: TimeInterval) {
        self.init(Secret(text), lifetime: lifetime)
    }

    package init(_ value: Secret, lifetime: TimeInterval) {
        self.value = value
        self.lifetime = lifetime
    }

    /// Returns the token as text, to be sent but not displayed.
    public func revealText() -> String { value.revealText() }
}
