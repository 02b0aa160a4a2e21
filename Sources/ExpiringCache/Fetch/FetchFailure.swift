/// An error that says whether a retry may help, and which keys it concerns.
///
/// A fetch function may throw any error. Other errors are treated as ``FetchRetry/retryable(after:)`` with no delay, of
/// the fetched key alone.
public protocol FetchFailure: Error {
    /// Whether a retry may help.
    var retry: FetchRetry { get }

    /// Which keys the failure concerns: undetermined by default.
    var extent: FailureExtent { get }
}

extension FetchFailure {
    /// Undetermined.
    public var extent: FailureExtent { .undetermined }
}

/// Whether a retry may help.
public enum FetchRetry: Hashable, Sendable {
    /// A retry may help, but not before this number of seconds; `nil` when the source specified no delay.
    case retryable(after: Seconds? = nil)
    /// A retry doesn't help until the cause is corrected: the source refused the request.
    case permanent
}

/// The keys that a failure concerns.
public enum FailureExtent: Hashable, Sendable {
    /// The fetched key: its fetches pause.
    case key
    /// The fetched key, or all keys if the source recovers from a pause: the failure may be the source's own.
    case undetermined
    /// All keys: the source is overloaded or unavailable. All fetches pause; then one probes the source.
    case source
    /// None: the source was not contacted, so nothing pauses.
    case none
}
