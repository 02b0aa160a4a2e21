import ServiceSupport

/// The signer of a service account.
package enum AccountConfiguration: Sendable, Hashable {
    /// Google's JSON key file.
    case serviceAccount(file: String)
    /// A PEM file, with the two facts that it doesn't hold.
    case pem(file: String, issuer: String, keyID: String)
    /// Google itself, by its IAM Credentials API.
    case iam(IAMConfiguration)
    /// A key in a PKCS#11 token, with the two facts that it doesn't hold.
    case pkcs11(PKCS11Configuration, issuer: String, keyID: String)

    /// Whether the key is not in this process: Google holds it, or a token.
    package var isRemote: Bool {
        switch self {
        case .serviceAccount, .pem: false
        case .iam, .pkcs11: true
        }
    }

    /// The file that is read for it; nil where Google needs none.
    package var file: String? {
        switch self {
        case .serviceAccount(let file), .pem(let file, _, _): file
        case .iam(let iam): iam.credentials
        case .pkcs11(let key, _, _): key.pinFile
        }
    }

    /// The name in messages: the key's file, the address at Google, or the token.
    package var name: String {
        switch self {
        case .serviceAccount(let file), .pem(let file, _, _): file
        case .iam(let iam): iam.account
        case .pkcs11(let key, _, _): "The key \(key.key) in the token \(key.token)"
        }
    }

    /// Whether the key's file exists; always true for keys that are not in a file.
    package var isPresent: Bool {
        switch self {
        case .serviceAccount(let file), .pem(let file, _, _): KeyFile.isPresent(file)
        case .iam, .pkcs11: true
        }
    }
}

/// Where a key in a PKCS#11 token is.
package struct PKCS11Configuration: Sendable, Hashable {
    /// The path of the shared library that reaches the token.
    package var module: String
    /// The token's label.
    package var token: String
    /// The key's label.
    package var key: String
    /// The file with the token's user PIN.
    package var pinFile: String
}

/// How Google signs for a service account.
package struct IAMConfiguration: Sendable, Hashable {
    /// The account's address.
    package var account: String
    /// The key file of the calling service account; nil for the machine's own account.
    package var credentials: String?
    /// How long a signature may take, in milliseconds: Google takes about 100, and half of a request's time is left.
    package var timeout: Int64 = 5000
    /// The maximum number of concurrent signatures: at 100 milliseconds each, more than Google's quota allows.
    package var concurrency: Int64 = 64
}
