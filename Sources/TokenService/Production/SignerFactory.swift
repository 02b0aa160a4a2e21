import Logging
import ServiceConfiguration
import TokenIssuance
import TokenMinting

/// Makes signers of accounts, each with its measurements.
struct SignerFactory {
    /// How many signatures may wait for a PKCS#11 token, which makes them one after the other.
    private static let tokenLimit = 64
    /// How long a PKCS#11 token may take for one; half of the time that an answer has, where that is less.
    private static let tokenTime = Duration.seconds(5)

    /// Reaches Google.
    let google: GoogleClient
    /// Sign with keys in this process.
    let threads: SigningThreads
    /// How long an answer may take.
    let answerTime: Duration
    let metrics: IssuanceMetrics
    let logger: Logger

    /// The signer for an account.
    ///
    /// One at Google has a limit of its own, so that others go on when Google is slow.
    func signer(for account: SigningAccount) throws(MintingError) -> any TokenSigner {
        switch account {
        case .key(let account):
            return MeasuredSigner(
                signer: ThreadedSigner(signer: LocalSigner(account), threads: threads),
                label: .local,
                metrics: metrics
            )
        case .token(var signer):
            signer.limit = min(Self.tokenTime, answerTime / 2)
            let gated = GatedSigner(signer: signer, gate: SignatureGate(maximum: Self.tokenLimit))
            return MeasuredSigner(signer: gated, label: .pkcs11, metrics: metrics)
        case .iam(let configuration, let credentials):
            let signer = try IAMSigner(configuration, credentials: credentials, client: google)
            let gated = GatedSigner(
                signer: RemoteSigner(signer: signer, logger: logger),
                gate: SignatureGate(maximum: Int(configuration.concurrency))
            )
            return MeasuredSigner(signer: gated, label: .iam, metrics: metrics)
        }
    }
}
