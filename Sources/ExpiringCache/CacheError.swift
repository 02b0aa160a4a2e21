package import Timing

/// An error that says why a value is not available.
@usableFromInline
package struct CacheError: Error, Sendable {
    package let code: Code
    /// The number of seconds after which a retry makes sense; nil when waiting alone doesn't help.
    package let retryAfter: Seconds?
    /// The error that the fetch function threw, if that is the cause.
    package let underlying: (any Error)?

    init(_ code: Code, retryAfter: Seconds? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.retryAfter = retryAfter
        self.underlying = underlying
    }

    func retrying(after nanoseconds: Int64) -> CacheError {
        CacheError(code, retryAfter: nanoseconds.seconds, underlying: underlying)
    }

    /// An error code; its raw value is for logs.
    package enum Code: String, Sendable {
        /// The fetch failed, and a later retry may help.
        case unavailable = "the fetch failed"
        /// The source refused the request, and a retry won't help soon.
        case denied = "the source denied the request"
        /// The fetch exceeded `fetchTimeout`.
        case fetchTimedOut = "the fetch timed out"
        /// The caller's own timeout passed, or the caller resumed so late that its value had expired, twice.
        case timedOut = "the call timed out"
        /// The fetched value has less lifetime left than the call's `validFor`.
        case insufficientLifetime = "the value's lifetime is too short"
        /// The fetched value had expired when it arrived.
        case alreadyExpired = "the value had expired on arrival"
        /// Values of this key were repeatedly invalidated right after they were fetched.
        case rejected = "new values are rejected too"
        /// Too many fetches of this key were abandoned and are still running.
        case stuck = "earlier fetches are still running"
        /// The fetch function requested the same key that it was fetching.
        case reentrant = "a fetch requests its own key"
        /// The value was removed while this caller waited.
        case removed = "the value was removed"
    }
}

extension CacheError: CustomStringConvertible {
    /// The code; the underlying error may contain details that don't belong in a log.
    @usableFromInline
    package var description: String { code.rawValue }
}

/// An error that says whether a retry may help, and which keys it concerns.
///
/// A fetch function may throw any error. Other errors are treated as ``FetchRetry/retryable(after:)`` with no delay.
package protocol FetchFailure: Error {
    var retry: FetchRetry { get }
    /// Undetermined by default.
    var extent: FailureExtent { get }
}

extension FetchFailure {
    package var extent: FailureExtent { .undetermined }
}

/// Whether a retry may help.
package enum FetchRetry: Hashable, Sendable {
    /// A retry may help, but not before this number of seconds; nil when the source specified no delay.
    case retryable(after: Seconds? = nil)
    /// A retry doesn't help until the cause is corrected: the source refused the request.
    case permanent
}

/// The keys that a failure concerns.
package enum FailureExtent: Hashable, Sendable {
    /// The fetched key: its fetches pause.
    case key
    /// The fetched key, or all keys if the source recovers from a pause: the failure may be the source's own.
    case undetermined
    /// All keys: the source is overloaded or unavailable. All fetches pause; then one probes the source.
    case source
    /// The fetched key, or all keys if the last limited fetch was of another key, and none has succeeded since: the
    /// source limits the rate of requests.
    case limit
    /// None: the source was not contacted, so nothing pauses.
    case none
}
