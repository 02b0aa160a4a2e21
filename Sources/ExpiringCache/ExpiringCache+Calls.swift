package import Timing

extension ExpiringCache {
    /// Runs a closure later, and never before it returns.
    package typealias Delivery = @Sendable (@escaping @Sendable () -> Void) -> Void

    @usableFromInline
    typealias Entry = CacheEntry<Value>

    /// A call for a value that has to wait for it.
    @usableFromInline
    struct Call: Sendable {
        let key: Key
        /// The required remaining lifetime, in nanoseconds.
        let needed: Int64
        let timeout: Seconds?
        /// Whether a cached value must not be used.
        var isForced: Bool
        /// Whether a value expired before its caller resumed: that is worth one more fetch, but not two.
        var isRepeat = false

        @usableFromInline
        init(key: Key, needed: Int64, timeout: Seconds?, isForced: Bool) {
            self.key = key
            self.needed = needed
            self.timeout = timeout
            self.isForced = isForced
        }
    }

    /// Returns the value for a key, from the cache or from a fetch.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - validFor: The minimum remaining lifetime of the value, in seconds. Unlike the configuration's
    ///     `minimumRemaining`, it isn't reduced for short-lived values. To limit the age of a value, pass its lifetime
    ///     minus the maximum age.
    ///   - timeout: The maximum number of seconds to wait; nil uses the configuration's `callTimeout`.
    ///   - isForced: Whether to fetch a new value even if a usable value is cached. A running fetch counts as new.
    /// - Returns: The value.
    /// - Throws: ``CacheError``, or `CancellationError` if the current task is cancelled while it waits.
    @inlinable
    nonisolated(nonsending) package func value(
        for key: Key,
        validFor: Seconds = 0,
        timeout: Seconds? = nil,
        isForced: Bool = false
    ) async throws -> Value {
        let needed = Int64(nanosecondsIn: validFor)
        if !isForced, let value = usableValue(for: key, needing: needed) { return value }
        return try await fetchedValue(for: Call(key: key, needed: needed, timeout: timeout, isForced: isForced))
    }

    /// Gets the value for a key and passes it to a completion handler, which is called exactly once through `delivery`.
    ///
    /// The delivery, by default a task, may run late: the value is checked again immediately before the completion handler
    /// is called. The time until then doesn't count for `timeout`.
    ///
    /// - Returns: A function that completes the call with a `CancellationError`, unless it is complete already.
    @discardableResult
    package func value(
        for key: Key,
        validFor: Seconds = 0,
        isForced: Bool = false,
        timeout: Seconds? = nil,
        delivery: @escaping Delivery = { work in Task.detached { work() } },
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> @Sendable () -> Void {
        let call = Call(key: key, needed: Int64(nanosecondsIn: validFor), timeout: timeout, isForced: isForced)
        if !isForced, let entry = usable(key, needing: call.needed, { $0 }) {
            deliver(.success(entry), to: call, as: nil, by: delivery, completion)
            return {}
        }
        let waiter = core.withLock { $0.state.nextID() }
        wait(for: call, as: waiter, delivery, completion)
        return { [weak self] in self?.leave(key, waiter: waiter, error: CancellationError()) }
    }

    /// Returns the cached value if it is usable, and starts its refresh if that is due.
    @inlinable
    package func usableValue(for key: Key, needing needed: Int64) -> Value? {
        usable(key, needing: needed) { $0.value }
    }

    @inlinable
    func usable<Part>(_ key: Key, needing needed: Int64, _ part: (Entry) -> Part) -> Part? {
        let now = clock.now
        switch core.withLock({ $0.state.lookUp(key, needing: needed, at: now, part) }) {
        case .fresh(let found):
            hitObserver?(CacheEvent(name: .hit, key: key))
            return found
        case .due(let found):
            hitObserver?(CacheEvent(name: .hit, key: key))
            refresh(key)
            return found
        case .miss:
            return nil
        }
    }

    /// Starts a background fetch if the value is missing or due for a refresh and fetching is allowed.
    @usableFromInline
    func refresh(_ key: Key) {
        handle(.refresh(key))
    }

    @usableFromInline
    nonisolated(nonsending) func fetchedValue(for call: Call) async throws -> Value {
        var call = call
        while true {
            // A busy actor may resume only after its value has expired, or was removed.
            let entry = try await fetchedEntry(for: call)
            if let value = try take(entry, for: &call) { return value }
        }
    }

    private nonisolated(nonsending) func fetchedEntry(for call: Call) async throws -> Entry {
        try Task.checkCancellation()
        let waiter = core.withLock { $0.state.nextID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(for: call, as: waiter) { continuation.resume(with: $0) }
                // If the task was cancelled before the waiter was registered, the handler below missed it.
                if Task.isCancelled { leave(call.key, waiter: waiter, error: CancellationError()) }
            }
        } onCancel: {
            leave(call.key, waiter: waiter, error: CancellationError())
        }
    }

    /// Returns the value for a caller that was given an entry but resumes only now; nil if it needs another fetch.
    private func take(_ entry: Entry, for call: inout Call) throws(CacheError) -> Value? {
        let now = clock.now
        let (key, needed) = (call.key, call.needed)
        switch core.withLock({ $0.state.take(entry, of: key, needing: needed, at: now) }) {
        case .value(let value): return value
        case .removed: throw CacheError(.removed)
        case .renewed: break
        case .expired where call.isRepeat: throw CacheError(.timedOut)
        case .expired: call.isRepeat = true
        }
        call.isForced = false
        return nil
    }

    private func wait(
        for call: Call,
        as waiter: WaiterID,
        _ delivery: @escaping Delivery,
        _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        wait(for: call, as: waiter) { [weak self] result in
            // If the cache was released, only the error remains to be delivered.
            guard let self else { return delivery { completion(result.map(\.value)) } }
            deliver(result, to: call, as: waiter, by: delivery, completion)
        }
    }

    private func deliver(
        _ result: Result<Entry, any Error>,
        to call: Call,
        as waiter: WaiterID?,
        by delivery: @escaping Delivery,
        _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        delivery { [weak self, clock] in
            do {
                let entry = try result.get()
                var call = call
                guard let self else {
                    guard entry.isUsable(at: clock.now, needing: call.needed) else { throw CacheError(.closed) }
                    return completion(.success(entry.value))
                }
                if let value = try self.take(entry, for: &call) { return completion(.success(value)) }
                self.wait(for: call, as: waiter ?? self.core.withLock { $0.state.nextID() }, delivery, completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Registers a waiter, which is resumed exactly once; immediately if no fetch is needed or allowed.
    private func wait(
        for call: Call,
        as waiter: WaiterID,
        completion: @escaping @Sendable (Result<Entry, any Error>) -> Void
    ) {
        let flight = CurrentFlight.value
        let request = CacheState<Key, Value>.Request(
            key: call.key,
            waiter: waiter,
            needed: call.needed,
            isForced: call.isForced,
            caller: flight?.cache == ObjectIdentifier(self) ? flight?.id : nil
        )
        let effects = handle(.request(request)) { $0.waiters[waiter] = CacheCore.Waiter(completion: completion) }
        guard effects.answers.isEmpty else { return }
        let cancelTimeout = timer(call.timeout ?? configuration.callTimeout) { [weak self] in
            self?.leave(call.key, waiter: waiter, error: CacheError(.timedOut))
        }
        let isWaiting = core.withLock { core in
            core.waiters[waiter]?.cancelTimeout = cancelTimeout
            return core.waiters[waiter] != nil
        }
        if !isWaiting { cancelTimeout?() }
    }

    /// Removes a waiter and resumes it with an error, unless it was already resumed.
    private func leave(_ key: Key, waiter: WaiterID, error: any Error) {
        handle(.leave(key, waiter, error))
    }
}
