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

/// Where a service account's key is.
enum AccountConfiguration: Sendable, Hashable {
    /// Google's JSON key file.
    case serviceAccount(file: String)
    /// A PEM file, with the two facts that it doesn't hold.
    case pem(file: String, issuer: String, keyID: String)

    /// The file that has the key.
    var file: String {
        switch self {
        case .serviceAccount(let file), .pem(let file, _, _): file
        }
    }
}
