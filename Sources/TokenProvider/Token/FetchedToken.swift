package import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token that a ``TokenSource`` fetched, and its lifetime.
///
/// Its description and reflection don't show the token.
public struct FetchedToken: Sendable, Hashable {
    /// The token's text, which is not displayed by accident.
    package let value: Secret
    /// The lifetime of the token in seconds, counted from the start of the fetch.
    ///
    /// It is a duration and not a date, so that a device with a wrong clock interprets it correctly. Zero or less means
    /// that the token had already expired, which a ``CachingTokenProvider`` treats as a failed fetch.
    public let lifetime: TimeInterval

    /// Creates a token from its text, with a lifetime in seconds from the start of its fetch.
    public init(_ text: String, lifetime: TimeInterval) {
        self.init(Secret(text), lifetime: lifetime)
    }

    package init(_ value: Secret, lifetime: TimeInterval) {
        self.value = value
        self.lifetime = lifetime
    }

    /// Returns the token as text, to be sent but not displayed.
    public func revealText() -> String { value.revealText() }
}
