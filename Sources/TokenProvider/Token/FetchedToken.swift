public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a ``TokenSource`` brings: a token, and how long it lives.
public struct FetchedToken: Sendable, Hashable {
    /// The token.
    public let value: Secret
    /// How many seconds the token lives, counted from the moment when the fetch began.
    ///
    /// It is a length of time and no date, so that a device whose clock is wrong cannot get it wrong. Zero or less means
    /// that the token came expired, which a ``CachingTokenProvider`` treats as a failed fetch.
    public let lifetime: TimeInterval

    /// Creates a token that lives so many seconds from the moment when its fetch began.
    public init(_ value: Secret, lifetime: TimeInterval) {
        self.value = value
        self.lifetime = lifetime
    }
}
