import ExpiringCache

/// A call for a token that can be cancelled.
public struct TokenCall: Sendable {
    private let request: CacheRequest

    init(_ request: CacheRequest) {
        self.request = request
    }

    /// Creates a call from a function that cancels it, for a custom ``TokenProviding``.
    public init(cancel: @escaping @Sendable () -> Void) {
        request = CacheRequest(cancel)
    }

    /// Completes the call with ``TokenProviderError/Code-swift.struct/cancelled``, unless its token has already
    /// arrived.
    ///
    /// No other call is affected. A call that isn't cancelled completes even if this value is released.
    public func cancel() {
        request.cancel()
    }
}

extension TokenCall: CustomStringConvertible {
    /// The type's name.
    public var description: String { "TokenCall" }
}
