import FleetToken
import Logging
package import ServiceConfiguration
import ServiceSupport
import Telemetry
import TokenIssuance
package import TokenMinting

// The order of a signer's decorators, from the outermost to the key:
//
//     a file or PEM     report ─► measure ─► threads with a queue ─► sign
//     a PKCS#11 token   report ─► queue ─► measure ─► sign
//     Google's IAM      report ─► queue ─► measure ─► sign
//
// The self-test signs without the report, except at Google, whose failures say nothing of the key.

extension SigningAccount {
    /// The assumed time of a signature by a PKCS#11 token, and by Google, until it is measured, in nanoseconds.
    private static let (tokenDuration, googleDuration): (Int64, Int64) = (10_000_000, 100_000_000)
    /// The maximum time of a signature by a PKCS#11 token; half of a response's time, if that is less.
    private static let tokenTime = Duration.seconds(5)

    /// Returns the signer for the account.
    ///
    /// A remote key has its own queue, so that others continue when Google or the token is slow. Keys in this process
    /// share its processors, and so the queue of the threads.
    func signer(_ shared: SharedResources, limits: LimitsConfiguration) throws(MintingError) -> any TokenSigner {
        let handle = Duration.seconds(limits.handle)
        let metrics = shared.metrics.issuance
        /// Returns a signer whose signatures wait for their turn; with the wait, one must end in time for the response.
        func queued(_ signer: any TokenSigner, parallel: Int, label: SignerLabel, duration: Int64, time: Duration)
            -> any TokenSigner
        {
            QueuedSigner(
                signer: MeasuredSigner(
                    signer: signer,
                    label: label,
                    durations: metrics.signDuration,
                    clock: shared.clock
                ),
                admission: Admission(
                    AdmissionLimits(limits).leaving(time, of: handle),
                    parallel: parallel,
                    duration: duration,
                    delays: metrics.signQueue[label],
                    clock: shared.clock
                )
            )
        }
        switch self {
        case .key(let account):
            return LocalSigner(account).measured(
                on: shared.threads,
                limits: AdmissionLimits(limits),
                metrics: metrics,
                clock: shared.clock
            )
        case .token(var signer):
            signer.limit = min(Self.tokenTime, handle / 2)
            // A token makes signatures one after the other.
            return queued(signer, parallel: 1, label: .pkcs11, duration: Self.tokenDuration, time: signer.limit)
        case .iam(let configuration, let credentials):
            let signer = queued(
                try IAMSigner(configuration, credentials: credentials, client: shared.network.google),
                parallel: Int(configuration.concurrency),
                label: .iam,
                duration: Self.googleDuration,
                time: .milliseconds(configuration.timeout)
            )
            return ReportingSigner(signer: signer, logger: shared.logger)
        }
    }
}

extension LocalSigner {
    /// Returns the signer for a key in this process.
    func measured(
        on threads: SigningThreads,
        limits: AdmissionLimits = AdmissionLimits(),
        metrics: IssuanceMetrics,
        clock: ServiceClock
    ) -> any TokenSigner {
        MeasuredSigner(
            signer: ThreadedSigner(signer: self, threads: threads, limits: limits),
            label: .local,
            durations: metrics.signDuration,
            clock: clock
        )
    }
}

extension [TokenKind: KeyRing] {
    /// Returns the signers for callers, who must not see a signer's problems.
    func reporting(to logger: Logger) -> Self {
        mapValues { $0.map { ReportingSigner(signer: $0, logger: logger) } }
    }
}

extension IAMSigner {
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
