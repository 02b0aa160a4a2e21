/// A source of tokens: a function from a scope to a fetched token.
///
/// A source does not cache, retry or share: ``CachingTokenProvider`` does that for it. It may be called for several
/// scopes at once. A ``TokenProviderError`` that it throws specifies whether a retry makes sense, and what pauses:
///
/// - ``TokenProviderError/Code-swift.struct/resourceExhausted`` or
///   ``TokenProviderError/Code-swift.struct/unavailable`` with a ``TokenProviderError/retryAfter`` pauses all scopes.
/// - ``TokenProviderError/Code-swift.struct/unauthenticated`` without a ``TokenProviderError/httpStatus`` means that no
///   user is signed in, so the source sent no request: nothing pauses.
/// - Any other error pauses the scope. An error of another type is treated as transient.
public protocol TokenSource: Sendable {
    /// Fetches a token for exactly the context's scope.
    ///
    /// The task that runs it is cancelled when the fetch times out.
    func fetchToken(for context: TokenFetchContext) async throws -> FetchedToken
}
