import ExpiringCache
import FleetToken

private typealias CacheFetchReason = FetchReason

extension TokenProviderEvent {
    init(_ event: CacheEvent<TokenScope>) {
        self =
            switch event {
            case .hit(let scope): .hit(scope)
            case .wait(let scope): .wait(scope)
            case .fetchStarted(let scope, let reason): .fetchStarted(scope, FetchReason(reason))
            case .fetchFinished(let scope, let reason, let duration, let outcome):
                .fetchFinished(scope, FetchReason(reason), duration: duration, error: outcome.error)
            case .invalidated(let scope): .invalidated(scope)
            case .evicted(let scope): .evicted(scope)
            case .clockJump(let seconds): .clockJump(seconds)
            }
    }
}

extension TokenProviderEvent.FetchReason {
    fileprivate init(_ reason: CacheFetchReason) {
        self =
            switch reason {
            case .missing: .missing
            case .expired: .expired
            case .refreshAhead: .refreshAhead
            case .insufficient: .insufficient
            case .rejected: .rejected
            }
    }
}

extension FetchOutcome {
    fileprivate var error: TokenProviderError? {
        switch self {
        case .success: nil
        case .failure(let error): TokenProviderError(error)
        }
    }
}
