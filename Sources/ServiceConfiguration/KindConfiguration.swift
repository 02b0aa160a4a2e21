package import FleetToken

/// One kind of token on offer.
package struct KindConfiguration: Sendable, Hashable {
    /// The current signer.
    package var account: AccountConfiguration
    /// The next signer; its key may not exist yet.
    package var next: Next?
    /// The previous signer; its key may not exist any more.
    package var previous: AccountConfiguration?
    /// Whether the operator enabled tokens with access to everything.
    package var isPrivileged: Bool

    /// A key that will sign.
    package struct Next: Sendable, Hashable {
        /// The key.
        package var account: AccountConfiguration
        /// When it starts signing; nil if the files are moved manually.
        package var from: NumericDate?
    }
}
