public import Foundation

/// Further requirements of a call, besides the scope.
///
/// Options may be added; each has a default that changes nothing.
public struct TokenRequestOptions: Hashable, Sendable {
    /// The minimum remaining lifetime of the token in seconds, if it is more than the provider's
    /// ``CachingTokenProvider/Configuration/minimumValidity``: 0.
    public var validFor: TimeInterval = 0
    /// The maximum number of seconds to wait; nil for the provider's
    /// ``CachingTokenProvider/Configuration/callTimeout``.
    public var timeout: TimeInterval?
    /// Whether to fetch a new token even if a usable token is cached: false.
    ///
    /// A running fetch counts as new. Pauses after failures still apply. If Fleet Engine rejected a token, use
    /// ``TokenProviding/invalidate(_:)`` instead, which fetches once regardless of the number of reports.
    public var forcingRefresh = false

    /// Creates options.
    public init(validFor: TimeInterval = 0, timeout: TimeInterval? = nil, forcingRefresh: Bool = false) {
        self.validFor = validFor
        self.timeout = timeout
        self.forcingRefresh = forcingRefresh
    }
}
