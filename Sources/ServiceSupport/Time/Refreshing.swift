import Synchronization

/// A value from another server that is fetched when it is first needed, and again before it is too old.
///
/// ```
/// let keys = Refreshing<KeySet, FetchError>(policy, clock: clock) { () async throws(FetchError) in
///     Fresh(try await fetchKeys(), lifetime: .seconds(86_400), refreshAfter: .seconds(3600))
/// }
/// let current = try await keys.value()
/// ```
///
/// One fetch runs at a time, for all who wait. A good value is returned at once, and refreshed in the background when it is due.
/// If that fails, the value stays good for its lifetime. Its age is the longer of the times that passed on both clocks.
package final class Refreshing<Value: Sendable, Failure: RefreshFailure>: Sendable {
    private struct State {
        /// The last value, and when its fetch began.
        var kept: (fresh: Fresh<Value>, start: Instant)?
        var running: Fetch?
        var pause: Pause?
        /// How many fetches failed in succession while there was no good value.
        var failures = 0
        var waiting = 0
        var lastID = 0

        func age(at now: Instant) -> Duration? { kept.map { now.age(since: $0.start) } }

        /// The age of the value if it is good.
        func goodAge(at now: Instant) -> Duration? {
            guard let kept, let age = age(at: now), age < kept.fresh.lifetime else { return nil }
            return age
        }
    }

    private struct Fetch {
        let id: Int
        let task: Task<Result<Value, RefreshError<Failure>>, Never>
    }

    /// The time after a failure in which nothing is fetched.
    private struct Pause {
        let start: Instant
        let duration: Duration
        let cause: Failure?
        /// Whether there was a good value: without one, the pause is over.
        let hadValue: Bool
    }

    private enum Decision {
        case value(Value)
        case failure(RefreshError<Failure>)
        case wait(Fetch)
    }

    private let policy: RefreshPolicy
    private let clock: ServiceClock
    private let fetch: @Sendable () async throws(Failure) -> Fresh<Value>
    private let state = Mutex(State())

    /// Creates a value that is not fetched yet.
    ///
    /// `fetch` must end soon after its task is cancelled.
    package init(
        _ policy: RefreshPolicy = RefreshPolicy(),
        clock: ServiceClock,
        fetch: @escaping @Sendable () async throws(Failure) -> Fresh<Value>
    ) {
        self.policy = policy
        self.clock = clock
        self.fetch = fetch
    }

    /// The value and its age if it is good now, without a fetch.
    package var current: (value: Value, age: Duration)? {
        state.withLock { state in
            guard let kept = state.kept, let age = state.goodAge(at: clock.instant) else { return nil }
            return (kept.fresh.value, age)
        }
    }

    /// Whether a fetch runs.
    package var isFetching: Bool { state.withLock { $0.running != nil } }

    /// How many callers wait for a fetch.
    package var waiting: Int { state.withLock { $0.waiting } }

    /// Returns the value.
    ///
    /// - Parameter maximumAge: The age at which a good value is not good enough and is fetched again; nil for none.
    /// - Returns: The value, fetched if necessary.
    /// - Throws: ``RefreshError`` if fetching fails, failed a moment ago, too many callers wait for it, or the current task
    ///   is cancelled. The fetch goes on for others.
    package func value(youngerThan maximumAge: Duration? = nil) async throws(RefreshError<Failure>) -> Value {
        switch state.withLock({ decision(&$0, youngerThan: maximumAge) }) {
        case .value(let value): return value
        case .failure(let error): throw error
        case .wait(let running):
            defer { state.withLock { $0.waiting -= 1 } }
            return try await result(of: running).get()
        }
    }

    /// Waits for a fetch, but no longer than the current task runs: a task's `value` ignores the cancellation of those who wait.
    private func result(of fetch: Fetch) async -> Result<Value, RefreshError<Failure>> {
        let (results, result) = AsyncStream<Result<Value, RefreshError<Failure>>>.makeStream()
        Task { result.yield(await fetch.task.value) }
        // Nil after cancellation only.
        return await results.first { _ in true } ?? .failure(RefreshError(cause: nil, retryAfter: .seconds(1)))
    }

    /// Forgets the value, so that the next call fetches it.
    ///
    /// The result of a fetch that runs now is not kept.
    package func remove() {
        state.withLock { state in
            state.kept = nil
            state.running = nil
            state.pause = nil
        }
    }

    // MARK: - Under the lock

    private func decision(_ state: inout State, youngerThan maximumAge: Duration?) -> Decision {
        let now = clock.instant
        let pause = remainingPause(state, at: now)
        if let kept = state.kept, let age = state.goodAge(at: now), maximumAge.map({ age < $0 }) ?? true {
            if age >= kept.fresh.refreshAfter, pause == nil { _ = runningFetch(&state, at: now) }
            return .value(kept.fresh.value)
        }
        if let pause { return .failure(pause) }
        guard state.waiting < policy.maximumWaiting else {
            return .failure(RefreshError(cause: nil, retryAfter: .seconds(1)))
        }
        state.waiting += 1
        return .wait(runningFetch(&state, at: now))
    }

    private func remainingPause(_ state: State, at now: Instant) -> RefreshError<Failure>? {
        guard let pause = state.pause, !pause.hadValue || state.goodAge(at: now) != nil else { return nil }
        let remaining = pause.duration - now.age(since: pause.start)
        return remaining > .zero ? RefreshError(cause: pause.cause, retryAfter: remaining) : nil
    }

    /// Returns the fetch that runs, or starts one.
    private func runningFetch(_ state: inout State, at now: Instant) -> Fetch {
        if let running = state.running { return running }
        state.lastID += 1
        let id = state.lastID
        let task = Task { finish(id, start: now, with: await withTimeout(policy.timeout, clock: clock, fetch)) }
        let new = Fetch(id: id, task: task)
        state.running = new
        return new
    }

    // MARK: - Fetching

    private func finish(
        _ id: Int,
        start: Instant,
        with result: Result<Fresh<Value>, Failure>?
    ) -> Result<Value, RefreshError<Failure>> {
        state.withLock { state in
            let isCurrent = state.running?.id == id
            if isCurrent { state.running = nil }
            switch result {
            case .success(let fresh):
                if isCurrent {
                    state.kept = (fresh, start)
                    (state.pause, state.failures) = (nil, 0)
                }
                return .success(fresh.value)
            case .failure(let cause): return .failure(pause(&state, cause: cause, isCurrent: isCurrent))
            case nil: return .failure(pause(&state, cause: nil, isCurrent: isCurrent))
            }
        }
    }

    /// Begins the pause after a failure.
    private func pause(_ state: inout State, cause: Failure?, isCurrent: Bool) -> RefreshError<Failure> {
        let now = clock.instant
        let hasValue = state.goodAge(at: now) != nil
        let asked = min(cause?.retryAfter ?? .zero, policy.maximumRetryAfter)
        let usual = hasValue ? policy.retryInterval : policy.backoff(after: state.failures, random: clock.random())
        let duration = max(asked, usual)
        if isCurrent {
            state.pause = Pause(start: now, duration: duration, cause: cause, hadValue: hasValue)
            if !hasValue { state.failures += 1 }
        }
        return RefreshError(cause: cause, retryAfter: duration)
    }
}
