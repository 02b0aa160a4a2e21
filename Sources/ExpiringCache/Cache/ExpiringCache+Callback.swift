extension ExpiringCache {
    /// Runs a closure later, and never before it returns.
    public typealias Delivery = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Gets the value for a key and passes it to a completion handler.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - validFor: The minimum remaining lifetime of the value, in seconds.
    ///   - isForced: Whether to fetch a new value even if a usable value is cached.
    ///   - timeout: The maximum number of seconds to wait; `nil` uses the configuration's `callTimeout`. The time until
    ///     `delivery` runs its closure doesn't count.
    ///   - delivery: Calls the completion handler; a task by default, or a queue. It may run late: the value is checked
    ///     again immediately before the completion handler is called. A value that has expired by then is fetched once
    ///     more, and a value that was removed is an error.
    ///   - completion: A completion handler, called exactly once through `delivery`. Its error is a ``CacheError``, or
    ///     a `CancellationError` if the request is cancelled.
    /// - Returns: The request, which can be cancelled.
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
        return CacheRequest { [weak self] in self?.leave(key, waiter: waiter, error: CancellationError()) }
    }

    private struct Call: Sendable {
        let waiter: WaiterID
        let key: Key
        let needed: Int64
        let timeout: Seconds?
        let delivery: Delivery
        let completion: @Sendable (Result<Value, any Error>) -> Void
        /// Whether the value expired once before delivery.
        var isRepeat = false
        /// Whether a cached value must not be used.
        var isForced = false
    }

    private func wait(for call: Call) {
        wait(for: call.key, as: call.waiter, needing: call.needed, timeout: call.timeout, isForced: call.isForced) {
            [weak self] result in
            // If the cache was released, only the error remains to be delivered.
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

    package init(_ cancellation: @escaping @Sendable () -> Void) {
        self.cancellation = cancellation
    }

    /// Completes the request with a `CancellationError`, unless it is complete already.
    ///
    /// Other requests are not affected.
    public func cancel() {
        cancellation()
    }
}
