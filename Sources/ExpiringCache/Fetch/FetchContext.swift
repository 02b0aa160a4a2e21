/// What a fetch may want to know about itself.
public struct FetchContext: Hashable, Sendable {
    /// Why it was started.
    public let reason: FetchReason
    /// How many fetches of this key failed in a row before it.
    public let failures: Int
    /// After how many seconds the cache gives it up and cancels its task.
    public let timeout: Seconds
}

/// Why a fetch was started.
public enum FetchReason: String, Hashable, Sendable {
    /// There was no value.
    case missing
    /// There was one, but too old to be used.
    case expired
    /// There is one, and it will soon be too old; nobody waits for this fetch at first.
    case refreshAhead
    /// There is one, but a caller needs it to be valid for longer than it is.
    case insufficient
    /// There was one, and it was invalidated: a source that itself caches should be told to answer with a new one.
    case rejected
    /// There is one that would do, but a caller wants a new one: a source that caches should be told so too.
    case forced
}
