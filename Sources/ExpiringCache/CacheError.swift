/// Why there is no value.
public struct CacheError: Error, Sendable {
    /// Why.
    public let code: Code
    /// When trying again makes sense, in seconds; `nil` when time alone won't help.
    public let retryAfter: Seconds?
    /// What the fetch threw, if that is the reason.
    public let underlying: (any Error)?

    init(_ code: Code, retryAfter: Seconds? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.retryAfter = retryAfter
        self.underlying = underlying
    }

    func retrying(after nanoseconds: Int64) -> CacheError {
        CacheError(code, retryAfter: nanoseconds.seconds, underlying: underlying)
    }

    /// A reason.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A name for logs and metrics, in snake case.
        public let description: String
        let message: String

        private init(_ description: String, _ message: String) {
            self.description = description
            self.message = message
        }

        /// The fetch failed, and fetching again later may help.
        public static let unavailable = Self("unavailable", "The fetch failed. Try again later.")
        /// The source refused, and fetching again won't help soon.
        public static let denied = Self("denied", "The source refused. Trying again won't help until that is changed.")
        /// The fetch took longer than `fetchTimeout`.
        public static let fetchTimedOut = Self("fetch_timed_out", "The fetch took too long. Try again later.")
        /// This caller's own timeout passed, or it was so late to take its value that the value had expired, twice.
        ///
        /// The fetch goes on, for others and for the next call.
        public static let timedOut = Self("timed_out", "The value didn't come in time. Try again.")
        /// The fetched value had already expired, or lives less long than `validFor` asks.
        public static let insufficientLifetime = Self(
            "insufficient_lifetime",
            "The source's values don't live long enough. Ask for a shorter `validFor`, or check the clocks."
        )
        /// Values of this key were invalidated again and again right after they had been fetched.
        public static let rejected = Self(
            "rejected",
            "New values are rejected as soon as they are used. Check whoever rejects them."
        )
        /// Too many fetches of this key were given up and still haven't ended.
        public static let stuck = Self(
            "stuck",
            "Fetches of this key don't end. Let the fetch function end when its task is cancelled."
        )
        /// The fetch function asked the cache for the very key that it was fetching.
        public static let reentrant = Self("reentrant", "A fetch needs its own result. Fetch without the cache.")
        /// Everything was removed while this caller waited.
        public static let removed = Self("removed", "The cache was emptied. Ask again if you still need the value.")
        /// The cache was released while this caller waited.
        public static let closed = Self("closed", "The cache no longer exists. Keep it for as long as you use it.")
    }
}

extension CacheError: CustomStringConvertible {
    /// The code and what to do.
    ///
    /// The underlying error is left out, since it may say more than a log should hold.
    public var description: String { "\(code): \(code.message)" }
}
