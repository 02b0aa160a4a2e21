import ExpiringCache
public import FleetToken

/// The purpose and reason of a fetch, for a ``TokenSource`` and an app's credentials closure.
public struct TokenFetchContext: Hashable, Sendable {
    /// The scope of the token.
    public let scope: TokenScope
    /// The reason for the fetch.
    public let reason: TokenFetchReason
    /// The number of the attempt: 1, plus the number of consecutive failed fetches of this scope.
    ///
    /// Rejected credentials count too, so the second attempt within a fetch has a number one higher than the first.
    public let attempt: Int

    /// Creates a context, for tests of a source or of a credentials closure.
    public init(scope: TokenScope, reason: TokenFetchReason = .missing, attempt: Int = 1) {
        self.scope = scope
        self.reason = reason
        self.attempt = attempt
    }

    /// Whether a source with its own cache must return a new token: Fleet Engine rejected the last token, or a caller
    /// requested a new one.
    public var requiresNewToken: Bool { reason == .tokenRejected || reason == .forced }

    /// Whether credentials must be renewed, even if they seem valid: the token server has just rejected them.
    ///
    /// It corresponds to Firebase's `forcingRefresh`.
    public var requiresNewCredentials: Bool { reason == .credentialsRejected }

    /// The context for the credentials closure after the server rejected this fetch's credentials.
    var afterRejectedCredentials: Self {
        Self(scope: scope, reason: .credentialsRejected, attempt: attempt + 1)
    }
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
    /// The cached token is usable, but a call requested a new one with `forcingRefresh`.
    public static let forced = Self("forced")
    /// Fleet Engine rejected the last token.
    public static let tokenRejected = Self("tokenRejected")
    /// The token server rejected the credentials.
    ///
    /// Only a credentials closure gets this reason.
    public static let credentialsRejected = Self("credentialsRejected")
}
