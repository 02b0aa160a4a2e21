/// What signs for a service account.
enum AccountConfiguration: Sendable, Hashable {
    /// Google's JSON key file.
    case serviceAccount(file: String)
    /// A PEM file, with the two facts that it doesn't hold.
    case pem(file: String, issuer: String, keyID: String)
    /// Google itself, by its IAM Credentials API.
    case iam(IAMConfiguration)
    /// A key in a PKCS#11 token, with the two facts that it doesn't hold.
    case pkcs11(PKCS11Configuration, issuer: String, keyID: String)
}

/// Where a key in a PKCS#11 token is.
struct PKCS11Configuration: Sendable, Hashable {
    /// The path of the shared library that reaches the token.
    var module: String
    /// The token's label.
    var token: String
    /// The key's label.
    var key: String
    /// The file with the token's user PIN.
    var pinFile: String
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
