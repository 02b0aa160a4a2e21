import FleetToken
package import Logging
import ServiceSupport
import Telemetry
package import TokenMinting

/// A signer that logs failures of Google and of PKCS#11 tokens for the operator, and tells callers to retry.
package struct ReportingSigner: TokenSignerDecorator {
    package let signer: any TokenSigner
    let logger: Logger

    /// Creates a signer that reports the failures of another.
    package init(signer: any TokenSigner, logger: Logger) {
        self.signer = signer
        self.logger = logger
    }

    package func sign(payload: [UInt8], for flow: Flow) async throws -> SignedToken {
        do {
            return try await signer.sign(payload: payload, for: flow)
        } catch {
            throw reported(error)
        }
    }

    /// Returns the error that callers get; a failure of a remote signer is logged.
    private func reported(_ error: any Error) -> any Error {
        switch error {
        case let error as IAMError: unavailable(error, retryAfter: error.retryAfter)
        case is PKCS11Error: unavailable(error, retryAfter: 5)
        default: error
        }
    }

    private func unavailable(_ error: any Error, retryAfter: Int) -> TokenError {
        logger.error(
            "Signing failed.",
            metadata: ["account": "\(issuer)", "error": "\(OperatorMessage(error))"]
        )
        return TokenError(
            .signerUnavailable,
            "Signing this kind of token is temporarily unavailable. Retry later.",
            retryAfter: retryAfter
        )
    }
}
