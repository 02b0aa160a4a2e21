/// The time from minting a token to its expiry: 600 to 3,540 seconds.
///
/// Fleet Engine rejects a token whose expiry is more than an hour ahead of its clock, so the maximum is a minute less.
/// The SDKs require five minutes of remaining lifetime, so less than ten minutes is of no use to them.
package struct TokenLifetime: Hashable, Sendable {
    package let seconds: Int64

    /// The maximum and default lifetime: 3,540 seconds.
    package static let `default` = TokenLifetime(unchecked: 3540)

    /// The lifetimes that may be requested, in seconds.
    package static let allowed: ClosedRange<Int64> = 600...3540

    private init(unchecked seconds: Int64) {
        self.seconds = seconds
    }

    /// Creates a lifetime; a value out of range is an error and never adjusted.
    ///
    /// - Throws: ``TokenError`` with reason ``TokenError/Reason/invalidLifetime``.
    package init(seconds: Int64) throws(TokenError) {
        guard Self.allowed.contains(seconds) else {
            throw TokenError(.invalidLifetime, "lifetimeSeconds must be an integer from 600 to 3540.")
        }
        self.seconds = seconds
    }
}
