public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something that happened in a ``CachingTokenProvider``, for logs, metrics and what follows a token.
///
/// No event holds a token or a credential. A scope names IDs, which are personal data: count by its `kind`.
public struct TokenProviderEvent: Hashable, Sendable {
    /// What happened.
    public let name: Name
    /// To which token; nil for what concerns all of them.
    public let scope: TokenScope?
    /// Why the fetch was started, for the beginning and end of a fetch.
    public let reason: TokenFetchReason?
    /// How many seconds a fetch took from when its turn came, or by how many the clock was set.
    public let duration: TimeInterval?
    /// Why a fetch brought no token; nil when it did.
    public let error: TokenProviderError?

    /// Creates an event, for tests of an observer.
    public init(
        _ name: Name,
        scope: TokenScope? = nil,
        reason: TokenFetchReason? = nil,
        duration: TimeInterval? = nil,
        error: TokenProviderError? = nil
    ) {
        self.name = name
        self.scope = scope
        self.reason = reason
        self.duration = duration
        self.error = error
    }
}

extension TokenProviderEvent {
    /// What happened.
    ///
    /// Names may be added: give a `switch` a `default`.
    public struct Name: Hashable, Sendable, CustomStringConvertible {
        /// A stable name, for logs and metrics.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// A call was answered at once.
        public static let hit = Self("hit")
        /// A call began to wait for a fetch.
        public static let wait = Self("wait")
        /// A fetch was started, or began to wait for its turn.
        public static let fetchStarted = Self("fetchStarted")
        /// A fetch ended, or was given up.
        public static let fetchFinished = Self("fetchFinished")
        /// A token was dropped because Fleet Engine rejected it.
        public static let invalidated = Self("invalidated")
        /// A scope's token was dropped with ``CachingTokenProvider/remove(_:)``, or all with
        /// ``CachingTokenProvider/removeAll()``; then there is no scope.
        public static let removed = Self("removed")
        /// A token was dropped to make room for another.
        public static let evicted = Self("evicted")
        /// The device's clock was set: forward, or back if the duration is negative.
        public static let clockJump = Self("clockJump")
    }
}
