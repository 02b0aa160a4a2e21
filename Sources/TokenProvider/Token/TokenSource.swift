/// A source of tokens: a function from a scope to a fetched token.
///
/// A source does not cache, retry or share: ``CachingTokenProvider`` does that for it. It may be called for several
/// scopes at once. A ``TokenProviderError`` that it throws specifies whether a retry makes sense; any other error is
/// treated as transient.
public protocol TokenSource: Sendable {
    /// Fetches a token for exactly the context's scope.
    ///
    /// The task that runs it is cancelled when the fetch times out.
    func fetchToken(for context: TokenFetchContext) async throws -> FetchedToken
}
