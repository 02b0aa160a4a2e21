/// A value that was just fetched, and how long it lives.
public struct Fetched<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// How long the value is good for, in seconds from when its source answered.
    ///
    /// The cache counts from when the fetch began, so that a slow answer can only shorten it. Zero, a negative number
    /// or not-a-number means that the value came expired: a failed fetch.
    public let lifetime: Seconds
    /// When a refresh becomes due, in seconds; `nil` for the configuration's choice, which also is the latest.
    public let refreshAfter: Seconds?
    /// How long to pause after a fetch that fails while this value can still be used, in seconds; `nil` for backoff.
    ///
    /// With a value at hand there is no hurry. When the value is too old to be used the pause is over, and backoff begins
    /// as after a first failure; a source that asked to be left alone for longer still is.
    public let retryInterval: Seconds?

    /// A fetched value.
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
