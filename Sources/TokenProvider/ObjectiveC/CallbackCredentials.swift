import ExpiringCache

/// Credentials that Objective-C gives through a completion.
enum CallbackCredentials {
    /// Makes an async function of one with a completion.
    ///
    /// A completion that is called twice has no second effect, a completion that is forgotten is an error, and
    /// one that is kept and never called ends when the fetch is given up.
    static func credentials(
        from callback: @escaping ObjectiveCTokenProvider.Credentials
    ) -> HTTPTokenSource.Credentials {
        { context in
            // Only the callback may keep the completion, or it would not be seen that it forgot it.
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
            resume(nil, TokenProviderError(.unavailable, "The credentials' completion was never called: call it once."))
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
