#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a call may ask for besides a scope.
///
/// Options may be added; each has a value that changes nothing.
public struct TokenRequestOptions: Hashable, Sendable {
    /// How many seconds the token must still live, if more than the provider's
    /// ``CachingTokenProvider/Configuration/minimumValidity``: 0.
    public var validFor: TimeInterval = 0
    /// How many seconds to wait at most; nil for the provider's ``CachingTokenProvider/Configuration/callTimeout``.
    public var timeout: TimeInterval?
    /// Whether to fetch a new token even if there is one that can be used: false.
    ///
    /// A fetch that is under way counts as new. Pauses after failures are kept. A token that Fleet Engine rejected is
    /// better reported with ``TokenProviding/invalidate(_:)``, which fetches once however many report it.
    public var forcingRefresh = false

    /// Creates options.
    public init(validFor: TimeInterval = 0, timeout: TimeInterval? = nil, forcingRefresh: Bool = false) {
        self.validFor = validFor
        self.timeout = timeout
        self.forcingRefresh = forcingRefresh
    }
}
