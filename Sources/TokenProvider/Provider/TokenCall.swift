import ExpiringCache

/// A call for a token that can be cancelled.
public struct TokenCall: Sendable {
    private let request: CacheRequest

    init(_ request: CacheRequest) {
        self.request = request
    }

    /// Completes the call with ``TokenProviderError/Code-swift.struct/cancelled``, unless its token has already
    /// arrived.
    ///
    /// No other call is affected. A call that isn't cancelled completes even if this value is released.
    public func cancel() {
        request.cancel()
    }
}
