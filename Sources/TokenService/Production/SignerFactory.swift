import FleetToken
import Logging
package import ServiceConfiguration
import Telemetry
import TokenIssuance
package import TokenMinting

/// Makes the signers of accounts, and owns the order of their decorators.
///
/// From the outermost to the key:
///
///     a file or PEM     report ─► measure ─► threads with a queue ─► sign
///     a PKCS#11 token   report ─► queue ─► measure ─► sign
///     Google's IAM      report ─► queue ─► measure ─► sign
///
/// The self-test signs without the report, except at Google, whose failures say nothing of the key.
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
            return Self.local(LocalSigner(account), on: threads, limits: limits, metrics: metrics)
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
            return ReportingSigner(signer: queued, logger: logger)
        }
    }

    /// Returns the signer for a key in this process.
    static func local(
        _ signer: LocalSigner,
        on threads: SigningThreads,
        limits: AdmissionLimits = AdmissionLimits(),
        metrics: IssuanceMetrics
    ) -> any TokenSigner {
        MeasuredSigner(
            signer: ThreadedSigner(signer: signer, threads: threads, limits: limits),
            label: .local,
            durations: metrics.signDuration
        )
    }

    /// Returns the signers for callers, who must not see a signer's problems.
    static func reporting(_ rings: [TokenKind: KeyRing], to logger: Logger) -> [TokenKind: KeyRing] {
        rings.mapValues { $0.map { ReportingSigner(signer: $0, logger: logger) } }
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
            signer: MeasuredSigner(signer: signer, label: label, durations: metrics.signDuration),
            admission: Admission(
                limits.leaving(time, of: answerTime),
                parallel: parallel,
                duration: duration,
                delays: metrics.signQueue[label],
                clock: clock
            )
        )
    }

}

extension IAMSigner {
    /// Creates the signer of a configuration.
    package init(
        _ configuration: IAMConfiguration,
        credentials: GoogleCredentials,
        client: GoogleClient
    ) throws(MintingError) {
        try self.init(
            account: configuration.account,
            credentials: credentials,
            timeout: Double(configuration.timeout) / 1000,
            client: client
        )
    }
}
