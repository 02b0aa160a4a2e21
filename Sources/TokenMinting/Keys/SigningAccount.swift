import FleetToken
package import JOSE

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

extension SigningAccount {
    /// The assumed time of a signature by a PKCS#11 token, and by Google, until it is measured, in nanoseconds.
    private static let (tokenDuration, googleDuration): (Int64, Int64) = (10_000_000, 100_000_000)
    /// The maximum time of a signature by a PKCS#11 token; half of a response's time, if that is less.
    private static let tokenTime = Duration.seconds(5)

    /// Returns the signer for the account, whose signatures wait in no queue.
    ///
    /// - Throws: ``MintingError`` if Google cannot sign for the account's address.
    package func signer(google: GoogleClient) throws(MintingError) -> any TokenSigner {
        switch self {
        case .key(let account): return LocalSigner(account)
        case .token(let signer): return signer
        case .iam(let iam, let credentials):
            let timeout = Double(iam.timeout) / 1000
            return try IAMSigner(account: iam.account, credentials: credentials, timeout: timeout, client: google)
        }
    }

    /// Returns the signer for the account.
    ///
    /// - Parameters:
    ///   - queue: The queue of all keys in this process.
    ///   - google: Reaches Google.
    ///   - handle: The maximum time of a request.
    /// - Returns: The signer.
    /// - Throws: ``MintingError`` if Google cannot sign for the account's address.
    package func signer(
        queue: SigningQueue,
        google: GoogleClient,
        handle: Duration
    ) throws(MintingError) -> any TokenSigner {
        // Half of the time is left to the rest of the way.
        let queue = queue.within(queue.limits.leaving(handle / 2, of: handle))
        switch self {
        case .key(let account):
            return LocalSigner(account, queue: queue)
        case .token(var signer):
            signer.limit = min(Self.tokenTime, handle / 2)
            // A token makes signatures one after the other.
            signer.queue = queue.remote(
                .pkcs11,
                parallel: 1,
                duration: Self.tokenDuration,
                limits: queue.limits.leaving(signer.limit, of: handle)
            )
            return signer
        case .iam(let iam, let credentials):
            let time = min(.milliseconds(iam.timeout), handle / 2)
            return try IAMSigner(
                account: iam.account,
                credentials: credentials,
                timeout: time / .seconds(1),
                client: google,
                queue: queue.remote(
                    .iam,
                    parallel: Int(iam.concurrency),
                    duration: Self.googleDuration,
                    limits: queue.limits.leaving(time, of: handle)
                )
            )
        }
    }
}
