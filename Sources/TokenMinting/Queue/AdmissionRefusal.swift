package import FleetToken

/// A refusal to let a request wait: the queue is too long.
package struct AdmissionRefusal: Error, Hashable {
    /// The bound that the queue reached.
    package enum Cause: String, Sendable, CaseIterable {
        /// The time that the request would wait: `limits.waitMilliseconds`, or a sixth of it in a lasting overload.
        case queueDelay = "queue_delay"
        /// The number of requests in progress and waiting: `limits.signatures`.
        case queueSize = "queue_size"
    }

    /// The bound that the queue reached.
    package let cause: Cause
    /// When the client should retry, in seconds.
    package let retryAfter: Int

    package init(_ cause: Cause, retryAfter: Int) {
        self.cause = cause
        self.retryAfter = retryAfter
    }

    package var error: TokenError {
        TokenError(.overloaded, "The service is overloaded. Retry later.", retryAfter: retryAfter)
    }
}
