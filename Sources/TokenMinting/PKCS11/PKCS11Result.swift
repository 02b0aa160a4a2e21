import Synchronization

/// A value that one thread provides and a task awaits, unless the task is cancelled first.
final class PKCS11Result<Value: Sendable>: Sendable {
    private enum State {
        case new
        case awaited(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
    }

    private let state = Mutex(State.new)

    /// Whether there is none yet.
    var isAwaited: Bool {
        state.withLock { if case .given = $0 { false } else { true } }
    }

    /// Sets the result, unless there is one.
    func give(_ result: Result<Value, any Error>) {
        let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .given: return nil
            case .new:
                state = .given(result)
                return nil
            case .awaited(let continuation):
                state = .given(result)
                return continuation
            }
        }
        continuation?.resume(with: result)
    }

    /// The result; it may be awaited once.
    var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let given: Result<Value, any Error>? = state.withLock { state in
                        if case .given(let result) = state { return result }
                        state = .awaited(continuation)
                        return nil
                    }
                    if let given { continuation.resume(with: given) }
                }
            } onCancel: {
                give(.failure(CancellationError()))
            }
        }
    }
}
