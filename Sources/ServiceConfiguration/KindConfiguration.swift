package import FleetToken

/// One kind of token on offer.
package struct KindConfiguration: Sendable, Hashable {
    /// What signs it.
    package var account: AccountConfiguration
    /// What will sign it; there may be no such key yet.
    package var next: Next?
    /// What signed it before; there may be no such key any more.
    package var previous: AccountConfiguration?
    /// Whether the operator said that its tokens may open everything.
    package var isPrivileged: Bool

    /// A key that will sign.
    package struct Next: Sendable, Hashable {
        /// The key.
        package var account: AccountConfiguration
        /// When it begins to; nil leaves that to whoever moves the files.
        package var from: NumericDate?
    }
}
