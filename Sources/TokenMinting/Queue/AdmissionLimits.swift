package import FleetToken

/// The bounds of an ``AdmissionQueue``.
package struct AdmissionLimits: Sendable, Hashable {
    /// The maximum wait of a request in a burst, in nanoseconds.
    package let burst: Int64
    /// The maximum number of requests in progress and waiting, which bounds the memory.
    package let count: Int

    /// Creates the bounds.
    ///
    /// - Parameters:
    ///   - milliseconds: The maximum wait of a request in a burst.
    ///   - count: The maximum number of requests in progress and waiting.
    package init(milliseconds: Int = 1000, count: Int = 10_000) {
        burst = Int64(milliseconds) * 1_000_000
        self.count = count
    }

    /// Returns the bounds with which a request may still take a time after its wait.
    ///
    /// - Parameters:
    ///   - time: The maximum time that it takes.
    ///   - total: The maximum time that it waits and takes together.
    /// - Returns: The bounds, with at most the rest as the wait.
    package func leaving(_ time: Duration, of total: Duration) -> Self {
        let rest = (total - time) / .milliseconds(1)
        return Self(milliseconds: min(Int(burst / 1_000_000), max(0, Int(rest))), count: count)
    }

    /// The maximum wait of a request in a lasting overload, in nanoseconds.
    ///
    /// At the default of one second, 99 % of simulated requests at twice the capacity wait at most 250 ms. A shorter bound
    /// would refuse some requests of a closed loop of 256 connections.
    var lasting: Int64 { burst / 6 }
}

/// A refusal to let a request wait: the queue is too long.
package struct AdmissionRefusal: Error, Hashable {
    /// The bound that the queue reached.
    package enum Cause: Sendable {
        /// The time that the request would wait: a second, or a sixth of it in a lasting overload.
        case queueDelay
        /// The number of requests in progress and waiting.
        case queueSize
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
