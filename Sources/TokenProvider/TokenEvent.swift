public import Foundation

/// Something that happened to a token, for logs and metrics.
public enum TokenEvent: Sendable {
    /// A token was fetched, in this many seconds.
    case fetched(TokenScope, seconds: TimeInterval)
    /// A fetch failed. Calls may still get the previous token.
    case failed(TokenScope, TokenProviderError)
    /// A token was dropped because Fleet Engine rejected it.
    case invalidated(TokenScope)
}
