/// What signs for a service account.
enum AccountConfiguration: Sendable, Hashable {
    /// Google's JSON key file.
    case serviceAccount(file: String)
    /// A PEM file, with the two facts that it doesn't hold.
    case pem(file: String, issuer: String, keyID: String)
    /// Google itself, by its IAM Credentials API.
    case iam(IAMConfiguration)

    /// Whether Google holds the key.
    var isAtGoogle: Bool {
        if case .iam = self { true } else { false }
    }

    /// The file that is read for it; nil where Google needs none.
    var file: String? {
        switch self {
        case .serviceAccount(let file), .pem(let file, _, _): file
        case .iam(let iam): iam.credentials
        }
    }

    /// What it is called in messages: its key's file, or its address at Google.
    var name: String {
        switch self {
        case .serviceAccount(let file), .pem(let file, _, _): file
        case .iam(let iam): iam.account
        }
    }
}

/// How Google is asked to sign for a service account.
struct IAMConfiguration: Sendable, Hashable {
    /// The account's address.
    var account: String
    /// The key file of the service account that asks; nil for the one that the machine runs as.
    var credentials: String?
    /// How long a signature may take, in milliseconds.
    var timeout: Int64 = 5000
    /// How many signatures may be under way at once.
    var concurrency: Int64 = 64
}
