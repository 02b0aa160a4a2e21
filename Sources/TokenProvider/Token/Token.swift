public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A usable token.
///
/// Its description and reflection don't show the token: to send it, use ``authorizationHeader`` or
/// `Secret.revealText()`.
public struct Token: Sendable, Hashable {
    /// The token.
    public let value: Secret
    /// The scope of the token.
    public let scope: TokenScope
    /// When the token expires by this device's clock, as it was set when the token was fetched.
    ///
    /// It is for display. Don't compare it with the current time to decide whether to use the token, because clocks may
    /// be set: call the provider each time, which is cheap.
    public let expirationDate: Date

    /// Creates a token, for previews, tests and custom providers.
    public init(_ value: Secret, scope: TokenScope, expirationDate: Date) {
        self.value = value
        self.scope = scope
        self.expirationDate = expirationDate
    }

    /// The value of an `Authorization` header field: `Bearer` and the token, to be sent but not displayed.
    public var authorizationHeader: String { "Bearer " + value.revealText() }
}
