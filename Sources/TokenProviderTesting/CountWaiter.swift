import Timing

/// A task that waits, which may be woken or cancelled before it waits.
final class CountWaiter: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var result: Result<Void, any Error>?
    }

    private let state = Lock(State())

    /// Waits for ``end(_:)``.
    ///
    /// - Parameter isMet: Registers the waiter, or returns whether it need not wait.
    /// - Throws: `CancellationError` if the task is cancelled.
    func wait(unless isMet: () -> Bool = { false }) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(continuation)
                if isMet() { end(.success(())) }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    private func begin(_ continuation: CheckedContinuation<Void, any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(with: result) }
    }

    func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: result)
    }
}

/// Tasks that wait until a number is reached; those that were cancelled remain until then.
struct CountWaiters: Sendable {
    private var waiters: [(count: Int, waiter: CountWaiter)] = []

    mutating func add(_ waiter: CountWaiter, _ count: Int) {
        waiters.append((count, waiter))
    }

    /// Removes and returns those whose number is reached.
    mutating func take(upTo count: Int) -> [CountWaiter] {
        let met = waiters.filter { $0.count <= count }.map(\.waiter)
        waiters.removeAll { $0.count <= count }
        return met
    }
}
