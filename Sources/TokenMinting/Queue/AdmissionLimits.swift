package import FleetToken

/// The bounds of an ``AdmissionQueue``.
package struct AdmissionLimits: Sendable, Hashable {
    /// The maximum wait of a request in a burst, in nanoseconds.
    let burst: Int64
    /// The maximum number of requests in progress and waiting, which bounds the memory.
    let count: Int

    /// Creates bounds in which no request waits for more than a second.
    package init(wait: Duration = .seconds(1), count: Int = 10_000) {
        burst = Int64(min(max(wait, .zero), .seconds(1)) / .nanoseconds(1))
        self.count = count
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
