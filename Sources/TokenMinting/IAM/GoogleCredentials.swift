import JOSE

/// The source of access tokens.
package enum GoogleCredentials: Sendable {
    /// The metadata server: the account that this machine, pod or Cloud Run service runs as.
    case metadataServer
    /// A service account's key, with which it requests access tokens itself.
    case serviceAccount(ServiceAccount)

    private var name: [String] {
        switch self {
        case .metadataServer: []
        case .serviceAccount(let account): [account.email, account.keyID, account.key.publicKey.thumbprint]
        }
    }
}

extension GoogleCredentials: Hashable {
    /// Equality of the account and its key.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }

    /// Feeds the account and its key.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension GoogleCredentials: CustomStringConvertible {
    /// The account, for the operator.
    package var description: String {
        switch self {
        case .metadataServer: "this machine's service account"
        case .serviceAccount(let account): account.email
        }
    }
}
