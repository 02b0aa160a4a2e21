import Timing

/// Adapts Objective-C credentials that use a completion handler.
enum CallbackCredentials {
    typealias Completion = @Sendable ([String: String]?, (any Error)?) -> Void

    /// Returns an async function from a function with a completion handler.
    ///
    /// A second call of the completion handler has no effect. A completion handler that is released without a call is
    /// an error; if it is kept and never called, the call ends when the fetch times out.
    static func credentials(
        from callback: @escaping @Sendable (Bool, @escaping Completion) -> Void
    ) -> HTTPTokenSource.Credentials {
        { context in
            // Only the callback may retain the completion handler; otherwise its release could not be detected.
            let waiting = Lock(WeakReference())
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let once = Once(continuation)
                    waiting.withLock { $0.once = once }
                    callback(context.requiresNewCredentials) { fields, error in once.resume(fields, error) }
                    if Task.isCancelled { once.resume(nil, CancellationError()) }
                }
            } onCancel: {
                waiting.withLock { $0.once }?.resume(nil, CancellationError())
            }
        }
    }

    private struct WeakReference: Sendable {
        weak var once: Once?
    }

    private final class Once: Sendable {
        private let continuation: Lock<CheckedContinuation<[String: String], any Error>?>

        init(_ continuation: CheckedContinuation<[String: String], any Error>) {
            self.continuation = Lock(continuation)
        }

        deinit {
            resume(nil, TokenProviderError(.unavailable, "The credentials' completion was never called. Call it once."))
        }

        func resume(_ fields: [String: String]?, _ error: (any Error)?) {
            let continuation = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            if let fields {
                continuation?.resume(returning: fields)
            } else {
                continuation?.resume(throwing: error ?? TokenProviderError.signedOut)
            }
        }
    }
}
