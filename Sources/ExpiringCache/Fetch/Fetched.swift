/// A fetched value and its lifetime.
public struct Fetched<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The lifetime of the value, in seconds from when its source responded.
    ///
    /// The cache counts from the start of the fetch, so a slow response can only shorten the lifetime. Zero, a negative
    /// number or not-a-number means that the value had already expired: a failed fetch.
    public let lifetime: Seconds
    /// When a refresh becomes due, in seconds; `nil` uses the configuration's choice, which also is the latest.
    public let refreshAfter: Seconds?
    /// The pause after a fetch that fails while this value is usable, in seconds; `nil` uses backoff.
    ///
    /// A usable value removes the urgency. When the value becomes too old to use, the pause ends and backoff begins as
    /// after a first failure; a longer delay requested by the source still applies.
    public let retryInterval: Seconds?

    /// Creates a fetched value.
    public init(
        _ value: Value,
        lifetime: Seconds,
        refreshAfter: Seconds? = nil,
        retryInterval: Seconds? = nil
    ) {
        self.value = value
        self.lifetime = lifetime
        self.refreshAfter = refreshAfter
        self.retryInterval = retryInterval
    }
}
