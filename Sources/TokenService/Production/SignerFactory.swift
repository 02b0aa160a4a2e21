import Logging
import ServiceConfiguration
import Telemetry
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

    /// Returns the signer for an account.
    ///
    /// A remote key has its own limit, so that others continue when Google or the token is slow. Keys in this process
    /// share its processors, and so one limit, which ``ServiceComponents`` adds.
    func signer(for account: SigningAccount) throws(MintingError) -> any TokenSigner {
        switch account {
        case .key(let account):
            return measured(ThreadedSigner(signer: LocalSigner(account), threads: threads), .local)
        case .token(var signer):
            signer.limit = min(Self.tokenTime, answerTime / 2)
            return GatedSigner(signer: measured(signer, .pkcs11), gate: SignatureGate(maximum: Self.tokenLimit))
        case .iam(let configuration, let credentials):
            let signer = try IAMSigner(configuration, credentials: credentials, client: google)
            let gate = SignatureGate(maximum: Int(configuration.concurrency))
            let gated = GatedSigner(signer: measured(signer, .iam), gate: gate)
            // Already here, since for the self-test too Google's failures say nothing of the key.
            return ReportingSigner(signer: gated, logger: logger)
        }
    }

    private func measured(_ signer: any TokenSigner, _ label: SignerLabel) -> any TokenSigner {
        MeasuredSigner(signer: signer, label: label, durations: metrics.signDuration)
    }
}
