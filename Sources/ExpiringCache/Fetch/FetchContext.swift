/// Information about a fetch, for the fetch function.
public struct FetchContext: Hashable, Sendable {
    /// The reason for the fetch.
    public let reason: FetchReason
    /// The number of consecutive failed fetches of this key before this fetch.
    public let failures: Int
    /// The number of seconds after which the cache cancels the fetch's task.
    public let timeout: Seconds
}

/// The reason for a fetch.
public enum FetchReason: String, Hashable, Sendable {
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
    /// The cached value is usable, but a caller requested a new one: a source with its own cache should be told so too.
    case forced
}
