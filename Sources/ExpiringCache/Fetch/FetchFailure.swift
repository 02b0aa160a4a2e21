/// An error that says whether a retry may help.
///
/// A fetch function may throw any error. Other errors are treated as ``FetchRetry/retryable(after:)`` with no delay.
public protocol FetchFailure: Error {
    /// Whether a retry may help.
    var retry: FetchRetry { get }
}

/// Whether a retry may help.
public enum FetchRetry: Hashable, Sendable {
    /// A retry may help, but not before this number of seconds; `nil` when the source specified no delay.
    case retryable(after: Seconds? = nil)
    /// A retry doesn't help until the cause is corrected: the source refused the request.
    case permanent
}
