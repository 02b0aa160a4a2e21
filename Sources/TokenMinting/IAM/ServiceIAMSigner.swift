import FleetToken
import JOSE
import Logging
import ServiceSupport

/// Google's signer as the service uses it: callers take turns, signatures are measured, and a failure is logged for the
/// operator, while the caller is told to retry.
final class ServiceIAMSigner: TokenSigner {
    /// The assumed time of a signature until it is measured.
    private static let signatureDuration = Duration.milliseconds(100)

    private let signer: IAMSigner
    private let metrics: SigningMetrics
    private let logger: Logger
    private let clock: ServiceClock
    private let admission: Admission

    /// Creates a signer that reports where a pool does.
    init(_ signer: IAMSigner, reportingAs pool: SigningPool) {
        self.signer = signer
        metrics = SigningMetrics(.iam, factory: pool.factory)
        logger = pool.logger
        clock = pool.clock
        admission = Admission(
            slots: Int(IAMSigner.concurrency),
            duration: Self.signatureDuration,
            delays: metrics.queue,
            clock: pool.clock
        )
    }

    var issuer: String { signer.issuer }

    var publicKeys: [JWK] { signer.publicKeys }

    /// - Throws: ``AdmissionRefusal`` if it may not wait, `CancellationError` if the task is cancelled, or ``TokenError`` if
    ///   Google does not sign.
    func sign(payload: [UInt8], for caller: String?) async throws -> SignedToken {
        do {
            return try await admission.run(for: caller) { try await measured(payload, for: caller) }
        } catch let error as IAMError {
            logger.error(
                "Signing failed.",
                metadata: ["account": "\(issuer)", "error": "\(OperatorMessage(error))"]
            )
            throw TokenError(
                .signerUnavailable,
                "Signing this kind of token is temporarily unavailable. Retry later.",
                retryAfter: error.retryAfter
            )
        }
    }

    private func measured(_ payload: [UInt8], for caller: String?) async throws -> SignedToken {
        let start = clock.monotonic
        let result: Result<SignedToken, any Error>
        do {
            result = .success(try await signer.sign(payload: payload, for: caller))
        } catch {
            result = .failure(error)
        }
        metrics.record(result, after: clock.duration(since: start))
        return try result.get()
    }
}
