@testable import TokenProvider

/// The ends of a provider's fetches.
final class FetchLog: Sendable {
    private let log = Lock<[(scope: TokenScope, error: TokenProviderError?)]>([])

    var entries: [(scope: TokenScope, error: TokenProviderError?)] { log.withLock { $0 } }

    var onFetch: @Sendable (TokenScope, TokenProviderError?) -> Void {
        { [log] scope, error in log.withLock { $0.append((scope, error)) } }
    }
}
