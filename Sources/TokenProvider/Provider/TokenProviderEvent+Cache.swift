import ExpiringCache
import FleetToken

extension TokenProviderEvent {
    init(_ event: CacheEvent<TokenScope>) {
        switch event {
        case .hit(let scope): self.init(.hit, scope: scope)
        case .wait(let scope): self.init(.wait, scope: scope)
        case .fetchStarted(let scope, let reason):
            self.init(.fetchStarted, scope: scope, reason: TokenFetchReason(reason))
        case .fetchFinished(let scope, let reason, let duration, let outcome):
            self.init(
                .fetchFinished,
                scope: scope,
                reason: TokenFetchReason(reason),
                duration: duration,
                error: outcome.error
            )
        case .invalidated(let scope): self.init(.invalidated, scope: scope)
        case .removed(let scope): self.init(.removed, scope: scope)
        case .removedAll: self.init(.removed)
        case .evicted(let scope): self.init(.evicted, scope: scope)
        case .clockJump(let seconds): self.init(.clockJump, duration: seconds)
        }
    }

    /// Whether the event is a token's arrival or removal, or a failed fetch.
    var isChange: Bool {
        [.fetchFinished, .invalidated, .removed, .evicted].contains(name)
    }
}

extension TokenFetchReason {
    init(_ reason: FetchReason) {
        self =
            switch reason {
            case .missing: .missing
            case .expired: .expired
            case .refreshAhead: .refreshAhead
            case .insufficient: .insufficient
            case .rejected: .tokenRejected
            case .forced: .forced
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
