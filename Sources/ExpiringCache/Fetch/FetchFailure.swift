/// An error that says whether fetching again may help.
///
/// A fetch function may throw any error. One that doesn't say counts as ``FetchRetry/retryable(after:)`` with no delay.
public protocol FetchFailure: Error {
    /// Whether fetching again may help.
    var retry: FetchRetry { get }
}

/// Whether fetching again may help.
public enum FetchRetry: Hashable, Sendable {
    /// It may, but not before so many seconds have passed; `nil` when the source didn't say.
    case retryable(after: Seconds? = nil)
    /// It won't, until somebody changes something: the source refused.
    case permanent
}
