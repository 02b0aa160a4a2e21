package import FleetToken

/// A gate's refusal to let an operation wait for its turn.
package struct GateRefusal: Error, Hashable {
    /// The bound that was reached.
    package enum Cause: Sendable {
        /// The time that the operation would wait.
        case queueDelay
        /// The number of operations that wait.
        case queueSize
    }

    /// The bound that was reached.
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
