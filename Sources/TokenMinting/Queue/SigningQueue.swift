import FleetToken
package import Logging
package import ServiceSupport

/// The queue in front of a signer: it makes signatures wait for their turn, measures them, and reports failures.
///
/// ```
/// minter ─► signer ─► queue: wait ─► measure ─► the key's signature ─► the token, or a reported failure
/// ```
///
/// A remote signer has a queue of its own, so that others continue when Google is slow. Keys in this process
/// share its processors, and so one queue with a thread for each core.
package struct SigningQueue: Sendable {
    /// The time of a signature on an x86-64 core at 3 GHz, in nanoseconds, until it is measured.
    private static let localDuration: Int64 = 250_000

    private var label = SignerLabel.local
    private var admission: Admission
    /// The bounds of the signatures that are added.
    var limits = AdmissionLimits()
    private let metrics: SigningMetrics
    private let logger: Logger
    private let clock: ServiceClock

    /// Creates the queue of all keys in this process, with a number of threads that sign.
    package init(threads: Int, metrics: SigningMetrics, logger: Logger, clock: ServiceClock) {
        admission = Admission(
            parallel: threads,
            duration: Self.localDuration,
            hasThreads: true,
            delays: metrics.delays[.local],
            clock: clock
        )
        self.metrics = metrics
        self.logger = logger
        self.clock = clock
    }

    /// The number of signatures that wait.
    var waiting: Int { admission.waiting }

    /// Returns a queue of its own for a remote signer, with the same bounds, which reports where this one does; `duration` is
    /// the assumed time of a signature in nanoseconds until it is measured.
    func remote(_ label: SignerLabel, parallel: Int, duration: Int64) -> SigningQueue {
        var queue = self
        queue.label = label
        let delays = metrics.delays[label]
        queue.admission = Admission(parallel: parallel, duration: duration, delays: delays, clock: clock)
        return queue
    }
}

extension SigningQueue {
    /// Makes a remote signature by an account as soon as it is its turn: a caller's, or for nil the service's own.
    ///
    /// - Throws: ``AdmissionRefusal`` if it may not wait, `CancellationError` if the task is cancelled while it waits, or
    ///   ``TokenError`` if the signer fails.
    func sign<Signed>(
        for caller: String?,
        account: String,
        _ sign: () async throws -> Signed
    ) async throws -> Signed {
        do {
            return try await admission.run(for: caller, within: limits) {
                let start = clock.monotonic
                do {
                    let signed = try await sign()
                    measure(.signed, since: start)
                    return signed
                } catch {
                    measure(.failed, since: start)
                    throw error
                }
            }
        } catch let error as IAMError {
            throw reported(error, account: account)
        }
    }

    /// Signs with a key in this process, on a thread, as soon as it is its turn.
    func signOnThread<Signed: Sendable>(
        for caller: String?,
        _ sign: @escaping @Sendable () throws -> Signed
    ) async throws -> Signed {
        try await admission.runOnThread(for: caller, within: limits) {
            let start = clock.monotonic
            let result = Result { try sign() }
            measure((try? result.get()) == nil ? .failed : .signed, since: start)
            return try result.get()
        }
    }

    private func measure(_ result: SignResultLabel, since start: Int64) {
        metrics.durations[label, result].record(clock.duration(since: start))
    }

    /// Logs a failure for the operator, and returns the error that tells callers to retry.
    private func reported(_ error: IAMError, account: String) -> TokenError {
        logger.error(
            "Signing failed.",
            metadata: ["account": "\(account)", "error": "\(OperatorMessage(error))"]
        )
        return TokenError(
            .signerUnavailable,
            "Signing this kind of token is temporarily unavailable. Retry later.",
            retryAfter: error.retryAfter
        )
    }
}

// MARK: - Metrics

/// The metrics of signatures.
package struct SigningMetrics: Sendable {
    /// The duration of signatures, without the time in the queue.
    package let durations: MetricTable<Histogram, LabelPair<SignerLabel, SignResultLabel>>
    /// The time that signatures wait for their turn.
    package let delays: MetricTable<Histogram, SignerLabel>

    /// Creates the metrics and declares them in a registry.
    package init(registry: PrometheusRegistry) {
        durations = MetricTable(
            "fleet_token_sign_duration_seconds",
            help: "Duration of signing, without the time in the queue.",
            in: registry
        )
        delays = MetricTable(
            "fleet_token_sign_queue_seconds",
            help: "Time in the signing queue, by signer.",
            in: registry
        )
    }
}

/// The kind of signer.
package enum SignerLabel: String, MetricLabel {
    /// A key in this process.
    case local
    /// Google's IAM Credentials API.
    case iam

    package static let labelName = "signer"
}

/// The result of a signature.
package enum SignResultLabel: String, MetricLabel {
    case signed
    case failed

    package static let labelName = "result"
}
