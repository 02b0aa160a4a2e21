public import Foundation

/// The end of a fetch, for logs and metrics.
public enum TokenEvent: Sendable {
    /// A token was fetched, in this many seconds.
    case fetched(TokenScope, seconds: TimeInterval)
    /// A fetch failed. Calls may still get the previous token.
    case failed(TokenScope, TokenProviderError)
}
