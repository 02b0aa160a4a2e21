/// Where tokens come from: one function from a scope to a fetched token.
///
/// A source does not cache, retry or share: ``CachingTokenProvider`` does that for it. It may be called for several
/// scopes at once. An error that it throws as a ``TokenProviderError`` says itself whether trying again makes sense;
/// any other error counts as one that may pass.
public protocol TokenSource: Sendable {
    /// Fetches a token that opens the context's scope, and nothing else.
    ///
    /// The task that runs it is cancelled when the provider gives up on it.
    func fetchToken(for context: TokenFetchContext) async throws -> FetchedToken
}
