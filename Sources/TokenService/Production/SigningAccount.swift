import FleetToken
package import JOSE
package import ServiceConfiguration
import TokenIssuance
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

extension SigningAccount {
    /// The assumed time of a signature by a PKCS#11 token, and by Google, until it is measured, in nanoseconds.
    private static let (tokenDuration, googleDuration): (Int64, Int64) = (10_000_000, 100_000_000)
    /// The maximum time of a signature by a PKCS#11 token; half of a response's time, if that is less.
    private static let tokenTime = Duration.seconds(5)

    /// Returns the signer for the account.
    func signer(_ shared: SharedResources, limits: LimitsConfiguration) throws(MintingError) -> any TokenSigner {
        let handle = Duration.seconds(limits.handle)
        /// Returns the queue of a remote key; with the wait, a signature must end in time for the response.
        func queue(_ label: SignerLabel, parallel: Int, duration: Int64, time: Duration) -> SigningQueue {
            SigningQueue(
                label,
                parallel: parallel,
                duration: duration,
                limits: AdmissionLimits(limits).leaving(time, of: handle),
                metrics: shared.metrics.issuance.signing,
                logger: shared.logger,
                clock: shared.clock
            )
        }
        switch self {
        case .key(let account):
            return LocalSigner(account, queue: shared.signing.within(AdmissionLimits(limits)))
        case .token(var signer):
            signer.limit = min(Self.tokenTime, handle / 2)
            // A token makes signatures one after the other.
            signer.queue = queue(.pkcs11, parallel: 1, duration: Self.tokenDuration, time: signer.limit)
            return signer
        case .iam(let iam, let credentials):
            let time = min(.milliseconds(iam.timeout), handle / 2)
            return try IAMSigner(
                account: iam.account,
                credentials: credentials,
                timeout: time / .seconds(1),
                client: shared.network.google,
                queue: queue(
                    .iam,
                    parallel: Int(iam.concurrency),
                    duration: Self.googleDuration,
                    time: time
                )
            )
        }
    }
}

extension AdmissionLimits {
    /// Creates the bounds of a configuration.
    init(_ limits: LimitsConfiguration) {
        self.init(milliseconds: limits.wait, count: limits.signatures)
    }
}
