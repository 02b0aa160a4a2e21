import FleetToken
import JOSE
import Logging
import TokenMinting

/// A signer at Google, whose troubles the operator reads of in the log, and callers are told to come back after.
struct RemoteSigner: TokenSigner {
    let signer: IAMSigner
    let logger: Logger

    var issuer: String { signer.issuer }
    var publicKeys: [JWK] { signer.publicKeys }

    func sign(payload: [UInt8]) async throws -> SignedToken {
        do {
            return try await signer.sign(payload: payload)
        } catch let error as IAMError {
            logger.error("Google does not sign.", metadata: ["account": "\(issuer)", "error": "\(error)"])
            throw TokenError(
                .signerUnavailable,
                "The service cannot sign this kind of token now. Try again later.",
                retryAfter: error.retryAfter
            )
        }
    }
}
