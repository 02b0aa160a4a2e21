import TokenMinting

/// A service account that signs, as its files say.
enum SigningAccount: Sendable {
    /// With a key in this process.
    case key(ServiceAccount)
    /// At Google, which is asked with these credentials.
    case iam(IAMConfiguration, GoogleCredentials)

    /// The account's address.
    var email: String {
        switch self {
        case .key(let account): account.email
        case .iam(let iam, _): iam.account
        }
    }
}
