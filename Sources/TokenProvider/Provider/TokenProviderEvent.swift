public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something that happened in a ``CachingTokenProvider``, for logs and metrics.
///
/// Cases may be added: give a `switch` a `default`. No event holds a token or a credential. A scope names IDs, which are personal data: count by its `kind`.
public enum TokenProviderEvent: Hashable, Sendable {
    /// A call was answered at once.
    case hit(TokenScope)
    /// A call began to wait for a fetch.
    case wait(TokenScope)
    /// A fetch was started, or began to wait for its turn.
    case fetchStarted(TokenScope, FetchReason)
    /// A fetch ended, or was given up, so many seconds after its turn came; the error is nil when it brought a token.
    case fetchFinished(TokenScope, FetchReason, duration: TimeInterval, error: TokenProviderError?)
    /// A token was dropped because whoever it was shown to rejected it.
    case invalidated(TokenScope)
    /// A token was dropped to make room for another.
    case evicted(TokenScope)
    /// The device's clock was set forward, or back if negative, by so many seconds.
    case clockJump(TimeInterval)

    /// Why a fetch was started.
    public enum FetchReason: String, Hashable, Sendable {
        /// There was no token.
        case missing
        /// There was one, with too little time left.
        case expired
        /// There is one, and it will soon have too little time left. Nobody waits for this fetch.
        case refreshAhead
        /// There is one, but a caller needs it for longer.
        case insufficient
        /// There was one, and it was rejected.
        case rejected
    }
}
