/// How long a token is valid from the moment it is minted: 600 to 3,540 seconds.
///
/// Fleet Engine refuses a token whose expiry is more than an hour ahead of its clock, so the most asked for is a minute
/// less. The SDKs want five minutes left on a token that they are handed, so less than ten is of no use to them.
package struct TokenLifetime: Hashable, Sendable {
    /// Seconds from minting to expiry.
    package let seconds: Int64

    /// The most a token may live, and what it lives when nobody asks for less: 3,540 seconds.
    package static let `default` = TokenLifetime(unchecked: 3540)

    /// The lifetimes that may be asked for, in seconds.
    package static let allowed: ClosedRange<Int64> = 600...3540

    private init(unchecked seconds: Int64) {
        self.seconds = seconds
    }

    /// Checks a lifetime; one out of range is an error and never cut to fit.
    ///
    /// - Throws: ``TokenRequestError`` with reason ``TokenRequestError/Reason/invalidLifetime``.
    package init(seconds: Int64) throws(TokenRequestError) {
        guard Self.allowed.contains(seconds) else {
            throw TokenRequestError(.invalidLifetime, "lifetimeSeconds is a whole number from 600 to 3540.")
        }
        self.seconds = seconds
    }
}
