package import JOSE
package import ServiceConfiguration
package import TokenMinting

/// A signing service account, as described by its files.
package enum SigningAccount: Sendable {
    /// With a key in this process.
    case key(ServiceAccount)
    /// At Google, with these credentials.
    case iam(IAMConfiguration, GoogleCredentials)

    /// With a key in a PKCS#11 token.
    case token(PKCS11Signer)

    /// The public key, where the private one is on this machine.
    package var localKey: JWK? {
        switch self {
        case .key(let account): account.jwk
        case .iam: nil
        case .token(let signer): signer.publicKeys.first
        }
    }

    /// The account's address.
    package var email: String {
        switch self {
        case .key(let account): account.email
        case .iam(let iam, _): iam.account
        case .token(let signer): signer.issuer
        }
    }
}
