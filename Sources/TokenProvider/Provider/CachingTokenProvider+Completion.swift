import ExpiringCache
public import FleetToken
public import Foundation

extension CachingTokenProvider {
    /// Gets a token and passes it to a completion handler.
    ///
    /// - Parameters:
    ///   - scope: The scope of the token.
    ///   - options: Further requirements.
    ///   - queue: The queue on which the completion handler is called.
    ///   - completion: A completion handler, called exactly once, on the queue and never before this method returns.
    ///     The provider stays alive until then. The token is usable at that moment, however late the queue runs it: a
    ///     token that has expired meanwhile is fetched again, as is one of credentials that have changed; a token that
    ///     ``removeAll()`` dropped meanwhile is an error.
    /// - Returns: The call, which can be cancelled.
    @discardableResult
    public func token(
        for scope: TokenScope,
        options: TokenRequestOptions,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Token, TokenProviderError>) -> Void
    ) -> TokenCall {
        TokenCall(
            cancel: cache.value(
                for: scope,
                validFor: options.validFor,
                isForced: options.forcingRefresh,
                timeout: options.timeout,
                delivery: { queue.async(execute: $0) }
            ) { [self] result in
                let result = result.mapError { error in
                    (error as? CacheError).map { TokenProviderError($0) } ?? .cancelled
                }
                withExtendedLifetime(self) { completion(result) }
            }
        )
    }
}
