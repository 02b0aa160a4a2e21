public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token that can be used now.
///
/// Its description and reflection don't show the token: what sends it asks for it with ``authorizationHeader`` or
/// `Secret.revealText()`.
public struct Token: Sendable, Hashable {
    /// The token.
    public let value: Secret
    /// What it opens.
    public let scope: TokenScope
    /// When it expires by this device's clock, as it stood when the token was fetched.
    ///
    /// It is for display. Don't compare it with the time to decide whether to use the token, since clocks get set: ask
    /// the provider each time, which is cheap.
    public let expirationDate: Date

    /// Creates a token, for previews, tests and providers of your own.
    public init(_ value: Secret, scope: TokenScope, expirationDate: Date) {
        self.value = value
        self.scope = scope
        self.expirationDate = expirationDate
    }

    /// The value of an `Authorization` header field: `Bearer` and the token, to be sent and not to be shown.
    public var authorizationHeader: String { "Bearer " + value.revealText() }
}
