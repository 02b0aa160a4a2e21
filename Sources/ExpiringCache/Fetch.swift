package import Timing

/// A fetched value and its lifetime.
package struct Fetched<Value: Sendable>: Sendable {
    package let value: Value
    /// The lifetime of the value, in seconds from when its source responded.
    ///
    /// The cache counts from the start of the fetch, so a slow response can only shorten the lifetime. Zero, a negative
    /// number or not-a-number means that the value had already expired: a failed fetch.
    package let lifetime: Seconds
    /// When a refresh becomes due, in seconds; nil uses the configuration's choice, which also is the latest.
    package let refreshAfter: Seconds?
    /// The pause after a fetch that fails while this value is usable, in seconds; nil uses backoff.
    ///
    /// A usable value removes the urgency. When the value becomes too old to use, the pause ends and backoff begins as
    /// after a first failure; a longer delay requested by the source still applies.
    package let retryInterval: Seconds?

    package init(_ value: Value, lifetime: Seconds, refreshAfter: Seconds? = nil, retryInterval: Seconds? = nil) {
        self.value = value
        self.lifetime = lifetime
        self.refreshAfter = refreshAfter
        self.retryInterval = retryInterval
    }
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

/// The reason for a fetch.
@usableFromInline
package enum FetchReason: String, Hashable, Sendable {
    /// No value was cached.
    case missing
    /// The cached value was too old to use.
    case expired
    /// The cached value will soon be too old; no caller waits for this fetch at first.
    case refreshAhead
    /// The cached value is usable, but a caller requires a longer remaining lifetime.
    case insufficient
    /// The cached value was invalidated: a source with its own cache should be told to return a new value.
    case rejected
}
