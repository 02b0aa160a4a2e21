/// A result that one task waits for: the first that arrives counts, whether before or after the task waits.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var isResolved = false
        /// The result until the task has it: it may be credentials, and the promise may be kept for long.
        var result: Result<Value, any Error>?
    }

    private let state = Lock(State())

    /// Creates a promise without a result.
    package init() {}

    /// Waits for the result; one task may, once.
    ///
    /// - Parameters:
    ///   - start: Begins what ends in the result; it is called when the task waits, and not if a result is there.
    ///   - onCancel: Called if the task is cancelled.
    /// - Returns: The result's value.
    /// - Throws: The error, or `CancellationError` if the task is cancelled before a result arrives.
    package func value(_ start: () -> Void = {}, onCancel: @escaping @Sendable () -> Void = {}) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state in
                    if !state.isResolved { state.continuation = continuation }
                    return state.result.take()
                }
                if let result { continuation.resume(with: result) } else { start() }
            }
        } onCancel: {
            resolve(.failure(CancellationError()))
            onCancel()
        }
    }

    /// Sets the result, unless there is one.
    package func resolve(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard !state.isResolved else { return nil }
            state.isResolved = true
            if state.continuation == nil { state.result = result }
            return state.continuation.take()
        }
        // After the lock is released: resuming takes the runtime's own lock (swiftlang/swift#67110).
        continuation?.resume(with: result)
    }
}
