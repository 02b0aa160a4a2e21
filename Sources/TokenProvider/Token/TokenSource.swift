import ExpiringCache
public import FleetToken
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

/// The purpose and reason of a fetch, for a ``TokenSource`` and an app's credentials closure.
public struct TokenFetchContext: Hashable, Sendable {
    /// The scope of the token.
    public let scope: TokenScope
    /// The reason for the fetch.
    public let reason: TokenFetchReason

    package init(scope: TokenScope, reason: TokenFetchReason = .missing) {
        self.scope = scope
        self.reason = reason
    }

    /// Whether a source with its own cache must return a new token, because Fleet Engine rejected the last one.
    public var requiresNewToken: Bool { reason == .tokenRejected }

    /// Whether credentials must be renewed, even if they seem valid: the token server has just rejected them.
    ///
    /// It corresponds to Firebase's `forcingRefresh`.
    public var requiresNewCredentials: Bool { reason == .credentialsRejected }
}

/// The reason for a fetch.
///
/// Reasons may be added.
public struct TokenFetchReason: Hashable, Sendable, CustomStringConvertible {
    /// A stable name, for logs and metrics.
    public let description: String

    private init(_ description: String) {
        self.description = description
    }

    init(_ reason: FetchReason) {
        self = reason == .rejected ? .tokenRejected : Self(reason.rawValue)
    }

    /// No token was cached: the first fetch of its scope.
    public static let missing = Self("missing")
    /// The cached token had too little time left.
    public static let expired = Self("expired")
    /// The cached token will soon have too little time left.
    ///
    /// At first, no call waits for this fetch.
    public static let refreshAhead = Self("refreshAhead")
    /// The cached token is usable, but a call requires a longer remaining lifetime.
    public static let insufficient = Self("insufficient")
    /// Fleet Engine rejected the last token.
    public static let tokenRejected = Self("tokenRejected")
    /// The token server rejected the credentials.
    ///
    /// Only a credentials closure gets this reason.
    public static let credentialsRejected = Self("credentialsRejected")
}
