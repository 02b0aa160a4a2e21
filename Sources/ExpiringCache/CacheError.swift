/// An error that says why a value is not available.
public struct CacheError: Error, Sendable {
    /// The code of the error.
    public let code: Code
    /// The number of seconds after which a retry makes sense; `nil` when waiting alone doesn't help.
    public let retryAfter: Seconds?
    /// The error that the fetch function threw, if that is the cause.
    public let underlying: (any Error)?

    init(_ code: Code, retryAfter: Seconds? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.retryAfter = retryAfter
        self.underlying = underlying
    }

    func retrying(after nanoseconds: Int64) -> CacheError {
        CacheError(code, retryAfter: nanoseconds.seconds, underlying: underlying)
    }

    /// An error code.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A name for logs and metrics, in snake case.
        public let description: String
        let message: String

        private init(_ description: String, _ message: String) {
            self.description = description
            self.message = message
        }

        /// The fetch failed, and a later retry may help.
        public static let unavailable = Self("unavailable", "The fetch failed. Retry later.")
        /// The source refused the request, and a retry won't help soon.
        public static let denied = Self(
            "denied",
            "The source denied the request. Retrying does not help until the cause is fixed."
        )
        /// The fetch exceeded `fetchTimeout`.
        public static let fetchTimedOut = Self("fetch_timed_out", "The fetch timed out. Retry later.")
        /// The caller's own timeout passed, or the caller resumed so late that its value had expired, twice.
        ///
        /// The fetch continues, for other callers and the next call.
        public static let timedOut = Self("timed_out", "The call timed out before the value was fetched. Retry.")
        /// The fetched value has less lifetime left than the call's `validFor`.
        public static let insufficientLifetime = Self(
            "insufficient_lifetime",
            "The lifetime of the source's values is shorter than `validFor`. Pass a smaller value."
        )
        /// The fetched value had expired when it arrived.
        public static let alreadyExpired = Self(
            "already_expired",
            "The fetched value had expired when it arrived. Check the source's clock and its latency."
        )
        /// Values of this key were repeatedly invalidated right after they were fetched.
        public static let rejected = Self(
            "rejected",
            "New values are rejected when they are used. Check the service that rejects them."
        )
        /// Too many fetches of this key were abandoned and are still running.
        public static let stuck = Self(
            "stuck",
            "Earlier fetches of this key are still running. The fetch function must return when its task is cancelled."
        )
        /// The fetch function requested the same key that it was fetching.
        public static let reentrant = Self(
            "reentrant",
            "A fetch requests its own key from the cache. Fetch without the cache."
        )
        /// The value was removed while this caller waited.
        public static let removed = Self("removed", "The value was removed. Request it again if you still need it.")
        /// The cache was released while this caller waited.
        public static let closed = Self("closed", "The cache was released. Keep a reference to it.")
    }
}

extension CacheError: CustomStringConvertible {
    /// The code and the recommended action.
    ///
    /// The underlying error is omitted, because it may contain details that don't belong in a log.
    public var description: String { "\(code): \(code.message)" }
}
