import ExpiringCache
public import FleetToken
public import Foundation

extension CachingTokenProvider {
    /// Gets a token and passes it to a function.
    ///
    /// - Parameters:
    ///   - scope: What it opens.
    ///   - options: What else is asked of it.
    ///   - queue: Where the function is called.
    ///   - completion: Is called exactly once, on the queue and never from within this call. The provider lives until
    ///     then. However late the queue runs it, its token can be used at that moment: a token that has expired
    ///     meanwhile is fetched again, and a token that ``removeAll()`` dropped meanwhile is an error.
    /// - Returns: The means to cancel the call.
    @discardableResult
    public func token(
        for scope: TokenScope,
        options: TokenRequestOptions = TokenRequestOptions(),
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Token, TokenProviderError>) -> Void
    ) -> TokenCall {
        let request = cache.value(
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
        return TokenCall(request)
    }

    /// Gets a token and passes it to a function of the main actor, such as a closure of a view controller's.
    ///
    /// - Parameters:
    ///   - scope: What it opens.
    ///   - options: What else is asked of it.
    ///   - completion: Is called exactly once, on the main queue and never from within this call. The provider lives
    ///     until then.
    /// - Returns: The means to cancel the call.
    @discardableResult
    public func token(
        for scope: TokenScope,
        options: TokenRequestOptions = TokenRequestOptions(),
        completion: @escaping @MainActor @Sendable (Result<Token, TokenProviderError>) -> Void
    ) -> TokenCall {
        token(for: scope, options: options, queue: .main) { result in
            MainActor.assumeIsolated { completion(result) }
        }
    }
}

extension TokenProviderError {
    /// The only error of a call without a task that is not the cache's own.
    fileprivate static let cancelled = Self(.cancelled, "The call was cancelled.")
}
