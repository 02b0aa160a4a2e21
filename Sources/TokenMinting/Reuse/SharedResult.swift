import Synchronization

/// A result that many wait for, while one brings it about.
package final class SharedResult<Value: Sendable>: Sendable {
    private struct State {
        var waiting: [UnsafeContinuation<Value, any Error>] = []
        /// Nil until it is there.
        var result: Result<Value, any Error>?
    }

    private let state = Mutex(State())

    package init() {}

    /// The value, as soon as it is there.
    ///
    /// The task that promised the result always finishes it, so waiting ends; cancelled tasks wait too.
    ///
    /// - Throws: The error, where the result is one.
    package var value: Value {
        get async throws {
            try await withUnsafeThrowingContinuation { continuation in
                let result = state.withLock { state in
                    if state.result == nil { state.waiting.append(continuation) }
                    return state.result
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }

    /// Tells all who wait, and those who come later.
    package func finish(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            state.result = result
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
