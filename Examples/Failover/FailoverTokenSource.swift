import TokenProvider

/// Fetches tokens from a second server while the first is not available.
///
///     let tokens = CachingTokenProvider(
///         source: FailoverTokenSource(
///             HTTPTokenSource(server: first, credentials: credentials),
///             HTTPTokenSource(server: second, credentials: credentials)
///         )
///     )
///
/// Both servers sign with the same service accounts' keys, or with keys of accounts that have the same roles.
struct FailoverTokenSource<First: TokenSource, Second: TokenSource>: TokenSource {
    let first: First
    let second: Second

    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    func fetchToken(for context: TokenFetchContext) async throws -> FetchedToken {
        do {
            return try await first.fetchToken(for: context)
        } catch let error as TokenProviderError where Self.isOutage(error) {
            do {
                return try await second.fetchToken(for: context)
            } catch let other as TokenProviderError where Self.isOutage(other) {
                // The provider pauses for as long as the server requires that recovers first.
                throw (error.retryAfter ?? 0) <= (other.retryAfter ?? 0) ? error : other
            }
        }
    }

    /// Whether another server may do better: not without a network, and not after an explicit refusal.
    private static func isOutage(_ error: TokenProviderError) -> Bool {
        [.unavailable, .deadlineExceeded, .resourceExhausted].contains(error.code)
    }
}
