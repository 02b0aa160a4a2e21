extension ExpiringCache {
    /// Runs a piece of work later, and never before it returns.
    public typealias Delivery = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Gets the value and passes it to a function.
    ///
    /// - Parameters:
    ///   - key: Whose value.
    ///   - validFor: For how many seconds the value must still be valid, at least.
    ///   - isForced: Whether to fetch a value even if there is one that can be used.
    ///   - timeout: For how many seconds to wait; `nil` for the configuration's choice. The time until `delivery` runs
    ///     what it is given doesn't count.
    ///   - delivery: How the completion is called: by a task, unless a queue is wanted. It may take its time: whether
    ///     the value is still of use is looked at when the completion is about to be called. A value that has expired by
    ///     then is fetched once more, and a value that was removed is an error.
    ///   - completion: Is called exactly once, through `delivery`. Its error is a ``CacheError``, or a
    ///     `CancellationError` if the request is cancelled.
    /// - Returns: The means to cancel.
    @discardableResult
    public func value(
        for key: Key,
        validFor: Seconds = 0,
        isForced: Bool = false,
        timeout: Seconds? = nil,
        delivery: @escaping Delivery = { work in Task.detached { work() } },
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> CacheRequest {
        let waiter = core.withLock { $0.state.nextID() }
        let needed = Int64(nanosecondsIn: validFor)
        var call = Call(waiter: waiter, key: key, needed: needed, timeout: timeout, delivery: delivery) {
            completion($0)
        }
        call.isForced = isForced
        if !isForced, let entry = usableEntry(for: key, needing: needed) {
            deliver(.success(entry), to: call)
            return CacheRequest {}
        }
        wait(for: call)
        return CacheRequest { [weak self] in self?.leave(key, waiter, CancellationError()) }
    }

    private struct Call: Sendable {
        let waiter: WaiterID
        let key: Key
        let needed: Int64
        let timeout: Seconds?
        let delivery: Delivery
        let completion: @Sendable (Result<Value, any Error>) -> Void
        /// Whether its value has expired before it was delivered.
        var isRepeat = false
        /// Whether a value that is kept won't do.
        var isForced = false
    }

    private func wait(for call: Call) {
        wait(for: call.key, as: call.waiter, needing: call.needed, timeout: call.timeout, isForced: call.isForced) {
            [weak self] result in
            // Without a cache, which its last reference has taken along, there is only the error that says so.
            guard let self else { return call.delivery { call.completion(result.map(\.value)) } }
            deliver(result, to: call)
        }
    }

    private func deliver(_ result: Result<Entry, any Error>, to call: Call) {
        call.delivery { [weak self, clock] in
            do {
                let entry = try result.get()
                let isUsable = entry.isUsable(at: clock.now, needing: call.needed)
                let late = try self.flatMap { try $0.takeLate(entry, of: call.key, needing: call.needed) }
                if let value = late ?? (isUsable ? entry.value : nil) {
                    call.completion(.success(value))
                } else if let self, !call.isRepeat {
                    var next = call
                    next.isRepeat = true
                    next.isForced = false
                    self.wait(for: next)
                } else {
                    throw CacheError(self == nil ? .closed : .timedOut)
                }
            } catch {
                call.completion(.failure(error))
            }
        }
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
