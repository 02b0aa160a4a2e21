import ExpiringCache
import FleetToken

/// An error of a source, with the retry information that the cache needs.
struct SourceFailure: FetchFailure {
    let error: TokenProviderError

    var retry: FetchRetry {
        error.recovery == .needsAction ? .permanent : .retryable(after: error.retryAfter)
    }

    var extent: FailureExtent {
        switch error.code {
        // `tokend` limits callers: its 429 concerns all scopes of this one.
        case .resourceExhausted where error.serverReason == TokenError.Reason.rateLimited.rawValue: .source
        case .resourceExhausted: .limit
        case .unavailable:
            error.retryAfter != nil || error.underlyingError == .refusedConnection ? .source : .undetermined
        case .deadlineExceeded: .undetermined
        // Without a response, the app's own closure says that no user is signed in.
        case .unauthenticated where error.httpStatus == nil: .none
        default: .key
        }
    }
}

extension TokenProviderError {
    /// Creates the error for callers from an error of the cache.
    init(_ error: CacheError) {
        if let failure = (error.underlying as? SourceFailure)?.error {
            // The cache knows best when it will fetch again: it adds its own pause to the server's.
            self.init(
                failure.code,
                failure.message,
                retryAfter: error.retryAfter ?? failure.retryAfter,
                httpStatus: failure.httpStatus,
                serverReason: failure.serverReason,
                requestID: failure.requestID,
                underlyingError: failure.underlyingError
            )
            return
        }
        let (code, message) = Self.meaning(of: error.code)
        self.init(code, message, retryAfter: error.retryAfter)
    }

    private static func meaning(of code: CacheError.Code) -> (Code, String) {
        switch code {
        case .fetchTimedOut: (.deadlineExceeded, "The token source timed out.")
        case .timedOut: (.deadlineExceeded, "The call timed out before the token was fetched.")
        case .insufficientLifetime:
            (
                .insufficientLifetime,
                "The lifetime of the server's tokens is shorter than validFor. Pass a smaller value."
            )
        case .alreadyExpired:
            (
                .alreadyExpired,
                "The token had expired on arrival. Check the server's clock, the lifetime of its tokens and its latency."
            )
        case .rejected:
            (.tokenRejected, "Fleet Engine rejects new tokens too. Check the server's keys, clock and claims.")
        case .stuck:
            (
                .unavailable,
                "Earlier fetches of this token are still running. The source must return when its task is cancelled."
            )
        case .reentrant:
            (
                .reentrantFetch,
                "The token source requests the same scope from its own provider. Fetch without the provider."
            )
        case .removed: (.removed, "The token was removed while the call waited. Request it again if you still need it.")
        case .closed: (.unavailable, "The provider was released while the call waited. Keep a reference to it.")
        default: (.unavailable, "The token could not be fetched.")
        }
    }
}
