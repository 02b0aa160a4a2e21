/// A call for a token that can be cancelled.
public struct TokenCall: Sendable, CustomStringConvertible {
    private let cancellation: @Sendable () -> Void

    /// Creates a call from a function that cancels it, for a custom ``TokenProviding``.
    public init(cancel: @escaping @Sendable () -> Void) {
        cancellation = cancel
    }

    /// Completes the call with ``TokenErrorCode/cancelled``, unless its token has already
    /// arrived.
    ///
    /// No other call is affected. A call that isn't cancelled completes even if this value is released.
    public func cancel() {
        cancellation()
    }

    /// The type's name.
    public var description: String { "TokenCall" }
}
