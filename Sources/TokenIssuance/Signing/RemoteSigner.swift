import FleetToken
package import JOSE
package import Logging
import Telemetry
package import TokenMinting

/// A signer whose key is elsewhere, at Google or in a token: the operator reads of its troubles in the log, and callers are
/// told to come back.
package struct RemoteSigner: TokenSigner {
    let signer: any TokenSigner
    let logger: Logger

    /// Creates a value of these parts.
    package init(signer: any TokenSigner, logger: Logger) {
        self.signer = signer
        self.logger = logger
    }

    package var issuer: String { signer.issuer }
    package var publicKeys: [JWK] { signer.publicKeys }
    package var isRemote: Bool { signer.isRemote }

    package func sign(payload: [UInt8]) async throws -> SignedToken {
        do {
            return try await signer.sign(payload: payload)
        } catch let error as IAMError {
            throw unavailable(error, retryAfter: error.retryAfter)
        } catch let error as PKCS11Error {
            throw unavailable(error, retryAfter: 5)
        }
    }

    private func unavailable(_ error: any Error, retryAfter: Int) -> TokenError {
        logger.error(
            "A signature cannot be had.",
            metadata: ["account": "\(issuer)", "error": "\(OperatorMessage(error))"]
        )
        return TokenError(
            .signerUnavailable,
            "The service cannot sign this kind of token now. Try again later.",
            retryAfter: retryAfter
        )
    }
}
