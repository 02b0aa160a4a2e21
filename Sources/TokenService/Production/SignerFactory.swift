import Logging
import ServiceConfiguration
import Telemetry
import TokenIssuance
import TokenMinting

/// Makes signers of accounts, each with its measurements.
struct SignerFactory {
    /// How long a PKCS#11 token takes for a signature, and Google, until it is measured, in nanoseconds.
    private static let (tokenDuration, googleDuration): (Int64, Int64) = (10_000_000, 100_000_000)
    /// How long a PKCS#11 token may take for one; half of the time that an answer has, where that is less.
    private static let tokenTime = Duration.seconds(5)

    /// Reaches Google.
    let google: GoogleClient
    /// Sign with keys in this process.
    let threads: SigningThreads
    /// What may wait for a signature.
    let limits: AdmissionLimits
    /// A clock that only goes forward, in nanoseconds.
    let clock: @Sendable () -> Int64
    /// How long an answer may take.
    let answerTime: Duration
    let metrics: IssuanceMetrics
    let logger: Logger

    /// Returns the signer for an account.
    ///
    /// A remote key has its own queue, so that others continue when Google or the token is slow. Keys in this process
    /// share its processors, and so the queue of the threads.
    func signer(for account: SigningAccount) throws(MintingError) -> any TokenSigner {
        switch account {
        case .key(let account):
            return measured(ThreadedSigner(signer: LocalSigner(account), threads: threads, limits: limits), .local)
        case .token(var signer):
            signer.limit = min(Self.tokenTime, answerTime / 2)
            // A token makes signatures one after the other.
            return queued(signer, .pkcs11, parallel: 1, duration: Self.tokenDuration, time: signer.limit)
        case .iam(let configuration, let credentials):
            let signer = try IAMSigner(configuration, credentials: credentials, client: google)
            let queued = queued(
                signer,
                .iam,
                parallel: Int(configuration.concurrency),
                duration: Self.googleDuration,
                time: .milliseconds(configuration.timeout)
            )
            // Already here, since for the self-test too Google's failures say nothing of the key.
            return ReportingSigner(signer: queued, logger: logger)
        }
    }

    /// Returns a signer whose signatures wait for their turn; with the wait, one must end in time for the response.
    private func queued(
        _ signer: any TokenSigner,
        _ label: SignerLabel,
        parallel: Int,
        duration: Int64,
        time: Duration
    ) -> any TokenSigner {
        QueuedSigner(
            signer: measured(signer, label),
            admission: Admission(
                limits.leaving(time, of: answerTime),
                parallel: parallel,
                duration: duration,
                delays: metrics.signQueue[label],
                clock: clock
            )
        )
    }

    private func measured(_ signer: any TokenSigner, _ label: SignerLabel) -> any TokenSigner {
        MeasuredSigner(signer: signer, label: label, durations: metrics.signDuration)
    }
}
