extension ExpiringCache {
    /// Gets the value and passes it to a function.
    ///
    /// - Parameters:
    ///   - key: Whose value.
    ///   - validFor: For how many seconds the value must still be valid, at least.
    ///   - timeout: For how many seconds to wait; `nil` for the configuration's choice.
    ///   - completion: Is called exactly once, from some other thread or task, never from within this call. Its error
    ///     is a ``CacheError``, or a `CancellationError` if the request is cancelled.
    /// - Returns: The means to cancel.
    @discardableResult
    public func value(
        for key: Key,
        validFor: Seconds = 0,
        timeout: Seconds? = nil,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> CacheRequest {
        let needed = Int64(nanosecondsIn: validFor)
        let complete: @Sendable (Result<Value, any Error>) -> Void = { result in
            // A task of its own: neither the caller nor whoever completes the fetch may find itself in foreign code.
            Task.detached { completion(result) }
        }
        if let value = usableValue(for: key, needing: needed) {
            complete(.success(value))
            return CacheRequest {}
        }
        let waiter = core.withLock { $0.state.nextID() }
        wait(for: key, as: waiter, needing: needed, timeout: timeout, completion: complete)
        return CacheRequest { [weak self] in self?.leave(key, waiter, CancellationError()) }
    }
}

/// A request that can be cancelled.
public struct CacheRequest: Sendable {
    private let cancellation: @Sendable () -> Void

    init(_ cancellation: @escaping @Sendable () -> Void) {
        self.cancellation = cancellation
    }

    /// Completes the request with a `CancellationError`, unless it is complete already.
    ///
    /// Nobody else is affected.
    public func cancel() {
        cancellation()
    }
}
