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
            let answer = Promise<[String: String]>()
            return try await answer.value {
                // Only the callback may retain the completion handler; otherwise its release could not be detected.
                let reminder = Reminder(answer)
                callback(context.requiresNewCredentials) { fields, error in
                    let failure = error ?? TokenProviderError.signedOut
                    reminder.answer.resolve(fields.map { .success($0) } ?? .failure(failure))
                }
            }
        }
    }

    /// Ends a call whose completion handler is released.
    private final class Reminder: Sendable {
        let answer: Promise<[String: String]>

        init(_ answer: Promise<[String: String]>) {
            self.answer = answer
        }

        deinit {
            let message = "The credentials' completion was never called. Call it once."
            answer.resolve(.failure(TokenProviderError(.unavailable, message)))
        }
    }
}
