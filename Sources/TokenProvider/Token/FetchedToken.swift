public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token that a ``TokenSource`` fetched, and its lifetime.
public struct FetchedToken: Sendable, Hashable {
    /// The token.
    public let value: Secret
    /// The lifetime of the token in seconds, counted from the start of the fetch.
    ///
    /// It is a duration and not a date, so that a device with a wrong clock interprets it correctly. Zero or less means
    /// that the token had already expired, which a ``CachingTokenProvider`` treats as a failed fetch.
    public let lifetime: TimeInterval

    /// Creates a token with a lifetime in seconds from the start of its fetch.
    public init(_ value: Secret, lifetime: TimeInterval) {
        self.value = value
        self.lifetime = lifetime
    }
}
