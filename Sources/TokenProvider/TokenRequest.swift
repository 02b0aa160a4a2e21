/// What a fetch is for.
public struct TokenRequest: Hashable, Sendable {
    /// The scope of the token.
    public let scope: TokenScope
    /// Whether the token must be a new one, because Fleet Engine rejected the last.
    public let mustBeNew: Bool
    /// Whether the token server has just rejected the credentials, so that they must be renewed even if they seem valid.
    ///
    /// It corresponds to Firebase's `forcingRefresh`.
    public let credentialsWereRejected: Bool

    /// Creates a request, for tests of an app's closures.
    public init(_ scope: TokenScope, mustBeNew: Bool = false, credentialsWereRejected: Bool = false) {
        self.scope = scope
        self.mustBeNew = mustBeNew
        self.credentialsWereRejected = credentialsWereRejected
    }
}
