public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token that can be used now.
///
/// Its description and reflection don't show the token: whoever sends it asks for it with `Secret.revealText()`.
public struct Token: Sendable, Hashable {
    /// The token.
    public let value: Secret
    /// When it expires by this device's clock, as it stood when the token was fetched.
    ///
    /// It is for display. Don't compare it with the time to decide whether to use the token, since clocks get set: ask
    /// the provider each time, which is cheap.
    public let expiresAt: Date
}
