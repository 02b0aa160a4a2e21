public import FleetToken

/// What a fetch is for, and why: what a ``TokenSource`` and an app's credentials are told.
public struct TokenFetchContext: Hashable, Sendable {
    /// What the token is to open.
    public let scope: TokenScope
    /// Why it is fetched.
    public let reason: TokenFetchReason
    /// Which try it is: 1, and one more for each fetch of this scope in a row that failed.
    ///
    /// Credentials that the server rejected count too, so that the second ones of a fetch have one more than the first.
    public let attempt: Int

    /// Creates a context, for tests of a source or of credentials.
    public init(scope: TokenScope, reason: TokenFetchReason = .missing, attempt: Int = 1) {
        self.scope = scope
        self.reason = reason
        self.attempt = attempt
    }

    /// Whether a source that keeps tokens must not answer with one that it has handed out: Fleet Engine rejected it, or a
    /// caller asks for another.
    public var requiresNewToken: Bool { reason == .tokenRejected || reason == .forced }

    /// Whether credentials must be renewed, even if they seem to be valid: the token server has just rejected them.
    ///
    /// It is what Firebase calls `forcingRefresh`.
    public var requiresNewCredentials: Bool { reason == .credentialsRejected }

    /// The context of credentials after the server rejected those of this fetch.
    var afterRejectedCredentials: Self {
        Self(scope: scope, reason: .credentialsRejected, attempt: attempt + 1)
    }
}

/// Why a token is fetched.
///
/// Reasons may be added.
public struct TokenFetchReason: Hashable, Sendable, CustomStringConvertible {
    /// A stable name, for logs and metrics.
    public let description: String

    private init(_ description: String) {
        self.description = description
    }

    /// There was no token: the first of its scope.
    public static let missing = Self("missing")
    /// There was one, with too little time left.
    public static let expired = Self("expired")
    /// There is one, and it will soon have too little time left.
    ///
    /// At first, no call waits for this fetch.
    public static let refreshAhead = Self("refreshAhead")
    /// There is one, but a call needs it for longer.
    public static let insufficient = Self("insufficient")
    /// There is one, but a call asked for a new one with `forcingRefresh`.
    public static let forced = Self("forced")
    /// There was one, and Fleet Engine rejected it.
    public static let tokenRejected = Self("tokenRejected")
    /// The token server rejected the credentials.
    ///
    /// Only credentials are told this reason.
    public static let credentialsRejected = Self("credentialsRejected")
}
