import FleetToken

/// One kind of token on offer.
struct KindConfiguration: Sendable, Hashable {
    /// What signs it.
    var account: AccountConfiguration
    /// What will sign it; there may be no such key yet.
    var next: Next?
    /// What signed it before; there may be no such key any more.
    var previous: AccountConfiguration?
    /// Whether the operator said that its tokens may open everything.
    var isPrivileged: Bool

    /// A key that will sign.
    struct Next: Sendable, Hashable {
        /// The key.
        var account: AccountConfiguration
        /// When it begins to; nil leaves that to whoever moves the files.
        var from: NumericDate?
    }
}
